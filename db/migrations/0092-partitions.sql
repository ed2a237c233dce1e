-- What grows with time and is read by time is partitioned by it (docs/operations.md says what, what not, and why). Which tables, in what pieces,
-- how far ahead and for how long are rows here; the job `partition_upkeep` makes and drops the partitions. What none has been
-- made for goes to the default partition, so a job nobody runs refuses nothing.

-- kind: month (of UTC), season, table (ids of tables, which grow with time). width: so many of them in one partition. ahead: partitions there are to
-- be beyond the one at hand. keep: partitions kept before it; NULL: all.
CREATE TABLE partitioned (
    parent text    PRIMARY KEY,
    key    text    NOT NULL,
    kind   text    NOT NULL CHECK (kind IN ('month', 'season', 'table')),
    width  integer NOT NULL CHECK (width > 0),
    ahead  integer NOT NULL CHECK (ahead > 0),
    keep   integer CHECK (keep > 0)
);
INSERT INTO partitioned (parent, key, kind, width, ahead, keep) VALUES
    ('notifications',  'at',        'month',  1,       2, 12),
    ('league_games',   'season_no', 'season', 1,       2, 24),
    ('league_rows',    'season_no', 'season', 1,       2, 24),
    ('season_results', 'season_no', 'season', 1,       2, 72),
    ('hands',          'table_id',  'table',  1000000, 1, NULL);

-- no: which piece of time it is.
CREATE TABLE partitions (
    parent  text    NOT NULL REFERENCES partitioned (parent),
    no      bigint  NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (parent, no)
);

INSERT INTO settings (name, value, about) VALUES
    ('partition_move_max', '200000', 'rows the default partition may have to give to a new one; more stay where they are'),
    ('partition_lock_ms',  '300',    'the job waits so long for a table, and leaves it to the next time');

-- Each table gives its name, key and foreign keys to a parent and becomes its default partition.
ALTER TABLE notifications DROP CONSTRAINT notifications_pkey, ADD CONSTRAINT notifications_pkey PRIMARY KEY (id, at);
ALTER TABLE notifications ALTER COLUMN id DROP IDENTITY;
CREATE SEQUENCE notifications_id;
SELECT setval('notifications_id', (SELECT coalesce(max(id), 0) + 1 FROM notifications), false);
ALTER TABLE notifications ALTER COLUMN id SET DEFAULT nextval('notifications_id');

CREATE FUNCTION partition_by_key(p_parent text, p_key text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_default text := p_parent || '_default';
    v_foreign text[];
    v_index   record;
BEGIN
    v_foreign := ARRAY(SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', p_parent, conname, pg_get_constraintdef(oid))
                       FROM pg_constraint WHERE conrelid = p_parent::regclass AND contype = 'f' ORDER BY conname);
    FOR v_index IN SELECT relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                   WHERE i.indrelid = p_parent::regclass ORDER BY relname LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', v_index.relname, replace(v_index.relname, p_parent, v_default));
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', p_parent, v_default);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY RANGE (%I)', p_parent, v_default, p_key);
    FOR v_index IN SELECT c.relname, d.relname AS source
                   FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid, pg_index j JOIN pg_class d ON d.oid = j.indexrelid
                   WHERE i.indrelid = p_parent::regclass AND j.indrelid = v_default::regclass
                     AND c.relname <> replace(d.relname, v_default, p_parent)
                     AND replace(pg_get_indexdef(c.oid), c.relname || ' ON ONLY public.' || p_parent, '')
                         = replace(pg_get_indexdef(d.oid), d.relname || ' ON public.' || v_default, '') LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', v_index.relname, replace(v_index.source, v_default, p_parent));
    END LOOP;
    FOR v_n IN 1 .. coalesce(cardinality(v_foreign), 0) LOOP
        EXECUTE v_foreign[v_n];
    END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', p_parent, v_default);
END $$;

DROP TRIGGER season_prize_tells ON season_results;
DROP TRIGGER season_result_counts ON season_results;
DROP TRIGGER season_result_tells ON season_results;
SELECT partition_by_key(parent, key) FROM partitioned ORDER BY parent;
DROP FUNCTION partition_by_key(text, text);
ALTER SEQUENCE notifications_id OWNED BY notifications.id;
CREATE TRIGGER season_prize_tells AFTER UPDATE OF prize_gold ON season_results
    FOR EACH ROW WHEN (NEW.prize_gold > OLD.prize_gold) EXECUTE FUNCTION season_prize_tells();
CREATE TRIGGER season_result_counts AFTER INSERT ON season_results REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION season_result_counts();
CREATE TRIGGER season_result_tells AFTER INSERT ON season_results REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION season_result_tells();

-- Which piece of time it is now.
CREATE FUNCTION partition_now(p partitioned, p_at timestamptz) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE p.kind
        WHEN 'month' THEN (extract(year FROM p_at AT TIME ZONE 'UTC') * 12 + extract(month FROM p_at AT TIME ZONE 'UTC'))::bigint - 1
        WHEN 'season' THEN coalesce((SELECT no FROM seasons WHERE state IN ('opening', 'open', 'closing')), 1)
        ELSE (SELECT coalesce(max(id), 1) FROM tables) END / p.width);
END $$;

-- Where a piece begins, as a value of the key.
CREATE FUNCTION partition_from(p partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p.kind WHEN 'month' THEN to_char(make_date((p_no * p.width / 12)::integer, (p_no * p.width % 12)::integer + 1, 1), 'YYYY-MM-DD') || ' 00:00:00+00'
                     ELSE (p_no * p.width)::text END
$$;

-- e.g. notifications_2026_11, league_rows_12, hands_0.
CREATE FUNCTION partition_name(p partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p.parent || '_' || CASE p.kind WHEN 'month' THEN translate(left(partition_from(p, p_no), 7), '-', '_') ELSE p_no::text END
$$;

-- Makes a partition, and takes over the rows of its time. The caller holds the job's lock. Returns how many rows; NULL: too many.
CREATE FUNCTION partition_make(p partitioned, p_no bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_name    text := partition_name(p, p_no);
    v_default text := p.parent || '_default';
    v_within  text := format('%I >= %L AND %I < %L', p.key, partition_from(p, p_no), p.key, partition_from(p, p_no + 1));
    v_rows    bigint;
BEGIN
    EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE', p.parent);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', v_default);
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I WHERE %s LIMIT %s) r', v_default, v_within, setting_int('partition_move_max') + 1)
    INTO v_rows;
    IF v_rows > setting_int('partition_move_max') THEN
        RETURN NULL;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', v_name, p.parent);
    EXECUTE format('WITH gone AS (DELETE FROM %I WHERE %s RETURNING *) INSERT INTO %I SELECT * FROM gone', v_default, v_within, v_name);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p.parent, v_name,
                   partition_from(p, p_no), partition_from(p, p_no + 1));
    INSERT INTO partitions (parent, no) VALUES (p.parent, p_no);
    RETURN v_rows;
END $$;

-- Drops the oldest partition whose time of keeping is over, or so many rows of the default one. NULL: there is nothing.
CREATE FUNCTION partition_forget(p partitioned, p_now bigint) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_no bigint := (SELECT min(no) FROM partitions WHERE parent = p.parent AND no < p_now - p.keep);
    v_n  bigint;
BEGIN
    IF v_no IS NOT NULL THEN
        EXECUTE format('DROP TABLE %I', partition_name(p, v_no));
        DELETE FROM partitions WHERE parent = p.parent AND no = v_no;
        RETURN '{"dropped": 1}';
    END IF;
    EXECUTE format('DELETE FROM %I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %I WHERE %I < %L LIMIT %s))', p.parent || '_default', p.parent || '_default',
                   p.key, partition_from(p, p_now - p.keep), setting_int('job_batch'));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN CASE WHEN v_n > 0 THEN jsonb_build_object('rows', v_n) END;
END $$;

-- The table of a league is of no use once its season has ended (season_results has the places). NULL: there is none.
CREATE FUNCTION league_boards_forget() RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_board integer;
    v_n     bigint;
BEGIN
    SELECT b.id INTO v_board FROM boards b JOIN seasons s ON s.state = 'ended' AND b.period LIKE s.no || ':%'
    WHERE b.kind = 'league' ORDER BY b.id LIMIT 1;
    IF v_board IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || v_board, 0));
    DELETE FROM board_entries WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM board_entries WHERE board_id = v_board LIMIT setting_int('season_open_batch')));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    DELETE FROM board_moves WHERE board_id = v_board;
    IF v_n = 0 THEN
        DELETE FROM board_pieces WHERE board_id = v_board;
        DELETE FROM boards WHERE id = v_board;
    END IF;
    RETURN jsonb_build_object('entries', v_n);
END $$;

-- One partition a step. A table that is busy is left to the next time.
CREATE FUNCTION partition_upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    p      partitioned;
    v_now  bigint;
    v_done jsonb;
    v_busy bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd partitions', 0));
    PERFORM set_config('lock_timeout', setting_int('partition_lock_ms')::text, true);
    FOR p IN SELECT * FROM partitioned ORDER BY parent LOOP
        v_now := partition_now(p, p_at);
        BEGIN
            FOR v_no IN v_now .. v_now + p.ahead LOOP
                IF NOT EXISTS (SELECT 1 FROM partitions WHERE parent = p.parent AND no = v_no)
                   AND partition_make(p, v_no) IS NOT NULL THEN
                    RETURN ROW(true, '{"made": 1}')::job_step;
                END IF;
            END LOOP;
            v_done := CASE WHEN p.keep IS NOT NULL THEN partition_forget(p, v_now) END;
            IF v_done IS NOT NULL THEN
                RETURN ROW(true, v_done)::job_step;
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            v_busy := v_busy + 1;
        END;
    END LOOP;
    v_done := league_boards_forget();
    RETURN ROW(v_done IS NOT NULL, coalesce(v_done, '{}') || CASE WHEN v_busy > 0 THEN jsonb_build_object('busy', v_busy) ELSE '{"made": 0}' END)::job_step;
END $$;

INSERT INTO jobs (job, about, every_s, grace_s) VALUES
    ('partition_upkeep', 'makes the partitions of the time to come, drops those whose time of keeping is over', 86400, 172800);
