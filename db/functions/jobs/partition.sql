CREATE OR REPLACE FUNCTION partition_now(p partitioned, p_at timestamptz) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE p.kind
        WHEN 'month' THEN (extract(year FROM p_at AT TIME ZONE 'UTC') * 12
                           + extract(month FROM p_at AT TIME ZONE 'UTC'))::bigint - 1
        WHEN 'season' THEN coalesce((SELECT no FROM seasons WHERE state IN ('opening', 'open', 'closing')), 1)
        ELSE (SELECT coalesce(max(id), 1) FROM tables) END / p.width);
END $$;

COMMENT ON FUNCTION partition_now IS
'The current period of a partitioned table.
Called by partition_upkeep_step.';

CREATE OR REPLACE FUNCTION partition_from(p partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p.kind
           WHEN 'month'
           THEN to_char(make_date((p_no * p.width / 12)::integer, (p_no * p.width % 12)::integer + 1, 1),
                        'YYYY-MM-DD') || ' 00:00:00+00'
           ELSE (p_no * p.width)::text END
$$;

COMMENT ON FUNCTION partition_from IS
'Start of a period, as a value of the key.
Called by partition_forget, partition_make, partition_name.';

CREATE OR REPLACE FUNCTION partition_name(p partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p.parent || '_'
           || CASE p.kind WHEN 'month' THEN translate(left(partition_from(p, p_no), 7), '-', '_')
                          ELSE p_no::text END
$$;

COMMENT ON FUNCTION partition_name IS
'The name of a partition: notifications_2026_11, league_rows_12, hands_0.
Called by partition_forget, partition_make.';

CREATE OR REPLACE FUNCTION partition_make(p partitioned, p_no bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_name    text := partition_name(p, p_no);
    v_default text := p.parent || '_default';
    v_within  text := format('%I >= %L AND %I < %L', p.key, partition_from(p, p_no), p.key,
                             partition_from(p, p_no + 1));
    v_rows    bigint;
BEGIN
    EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE', p.parent);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', v_default);
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I WHERE %s LIMIT %s) r', v_default, v_within,
                   setting_int('partition_move_max') + 1)
    INTO v_rows;
    IF v_rows > setting_int('partition_move_max') THEN
        RETURN NULL;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', v_name, p.parent);
    EXECUTE format('WITH gone AS (DELETE FROM %I WHERE %s RETURNING *) INSERT INTO %I SELECT * FROM gone',
                   v_default, v_within, v_name);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p.parent, v_name,
                   partition_from(p, p_no), partition_from(p, p_no + 1));
    INSERT INTO partitions (parent, no) VALUES (p.parent, p_no);
    RETURN v_rows;
END $$;

COMMENT ON FUNCTION partition_make IS
'Creates a partition, and moves the rows of its period there from the default one. The caller holds the job''s
lock. Returns the number of rows; NULL: too many, and nothing was created.
Called by partition_upkeep_step.';

CREATE OR REPLACE FUNCTION partition_forget(p partitioned, p_now bigint) RETURNS jsonb
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
    EXECUTE format('DELETE FROM %I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %I WHERE %I < %L LIMIT %s))',
                   p.parent || '_default', p.parent || '_default',
                   p.key, partition_from(p, p_now - p.keep), setting_int('job_batch'));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN CASE WHEN v_n > 0 THEN jsonb_build_object('rows', v_n) END;
END $$;

COMMENT ON FUNCTION partition_forget IS
'Drops the oldest partition past its retention, or a batch of such rows in the default one. NULL: there was
nothing to drop.
Called by partition_upkeep_step.';
