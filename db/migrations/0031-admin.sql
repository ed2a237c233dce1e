-- Keys of programs that administer, the log of what they did, and the jobs a scheduler calls.

-- A key is shown once, when it is made; only its hash is stored. jobs: may run jobs; admin: everything.
CREATE TABLE api_keys (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text   NOT NULL UNIQUE CHECK (char_length(name) BETWEEN 1 AND 64),
    role       text   NOT NULL CHECK (role IN ('jobs', 'admin')),
    key_hash   bytea  NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);

-- key_id NULL: done at the console. code: how it ended ('ok', or why it was refused).
CREATE TABLE audit (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    key_id bigint REFERENCES api_keys (id),
    action text   NOT NULL,
    detail jsonb  NOT NULL DEFAULT '{}',
    code   text   NOT NULL
);

CREATE FUNCTION audit_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_kept;

-- code: ok, name_taken.
CREATE FUNCTION do_make_key(p_name text, p_role text, p_key_hash bytea) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text := 'ok';
BEGIN
    INSERT INTO api_keys (name, role, key_hash) VALUES (p_name, p_role, p_key_hash) ON CONFLICT (name) DO NOTHING;
    IF NOT FOUND THEN
        v_code := 'name_taken';
    END IF;
    INSERT INTO audit (action, detail, code)
    VALUES ('make_key', jsonb_build_object('name', p_name, 'role', p_role), v_code);
    RETURN QUERY SELECT v_code;
END $$;

-- code: ok, no_such_key (also: revoked before).
CREATE FUNCTION do_revoke_key(p_name text) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    UPDATE api_keys SET revoked_at = now() WHERE name = p_name AND revoked_at IS NULL;
    v_code := CASE WHEN FOUND THEN 'ok' ELSE 'no_such_key' END;
    INSERT INTO audit (action, detail, code) VALUES ('revoke_key', jsonb_build_object('name', p_name), v_code);
    RETURN QUERY SELECT v_code;
END $$;

-- Every administrative call begins here: whether the key may do this, and its line in the log. code: ok, api_key_invalid
-- (not logged: a stranger could fill the log), api_key_forbidden.
CREATE FUNCTION admin_enter(p_key_hash bytea, p_action text, p_detail jsonb, OUT code text, OUT key_id bigint)
    LANGUAGE plpgsql AS $$
DECLARE
    v_role text;
BEGIN
    SELECT k.id, k.role INTO key_id, v_role FROM api_keys k WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL;
    IF key_id IS NULL THEN
        code := 'api_key_invalid';
        RETURN;
    END IF;
    code := CASE WHEN v_role = 'admin' OR p_action LIKE 'job:%' THEN 'ok' ELSE 'api_key_forbidden' END;
    INSERT INTO audit (key_id, action, detail, code) VALUES (key_id, p_action, p_detail, code);
END $$;

-- A time as the API writes it.
CREATE FUNCTION rfc3339(p_at timestamptz) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A page, newest first; the first row is the head. code: as admin_enter.
CREATE FUNCTION q_audit(p_key_hash bytea, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'read:audit', '{}') e;
    RETURN QUERY SELECT v_code, '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object('id', a.id::text, 'at', rfc3339(a.at), 'key', k.name, 'action', a.action,
                                        'detail', a.detail, 'code', a.code)::text, a.id, 0::bigint, 0::bigint
        FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id
        WHERE p_before IS NULL OR a.id < p_before ORDER BY a.id DESC LIMIT p_limit;
    END IF;
END $$;

-- --- jobs ---------------------------------------------------------------------------------------------

INSERT INTO settings (name, value, about) VALUES
    ('job_batch',           '2000',  'players one step of a job deals with'),
    ('season_batch',        '20000', 'players one step of a season''s end deals with'),
    ('job_steps_max',       '2000',  'steps one call of a job makes; a job with more to do asks to be called again'),
    ('stale_table_s',       '3600',  'a table whose node is silent for so long is cancelled');

-- every_s: how often a scheduler is to call it. grace_s: so much later it counts as overdue.
CREATE TABLE jobs (
    job      text   PRIMARY KEY,
    about    text   NOT NULL,
    every_s  bigint NOT NULL CHECK (every_s > 0),
    grace_s  bigint NOT NULL CHECK (grace_s >= 0),
    since    timestamptz NOT NULL DEFAULT now(),
    done_at  timestamptz
);

INSERT INTO jobs (job, about, every_s, grace_s) VALUES
    ('season_rollover', 'ends leagues'' seasons that are over and begins the next ones', 3600, 7200),
    ('daily_bonus',     'credits the midnights nobody came for',                        86400, 21600),
    ('stale_tables',    'cancels, with refunds, tables whose node is gone',             600, 3600),
    ('upkeep',          'removes what has expired',                                     3600, 7200);

-- One call of a job; a repeat with the same key goes on with it or gets its answer.
CREATE TABLE job_runs (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job        text   NOT NULL REFERENCES jobs (job),
    key_id     bigint NOT NULL REFERENCES api_keys (id),
    idem_key   text   NOT NULL,
    body_hash  bytea  NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at    timestamptz,
    steps      integer NOT NULL DEFAULT 0,
    result     jsonb   NOT NULL DEFAULT '{}',
    UNIQUE (key_id, idem_key)
);

-- What one step of a job did. more: there is more to do.
CREATE TYPE job_step AS (more boolean, result jsonb);

-- The counts of two steps together.
CREATE FUNCTION add_counts(p_a jsonb, p_b jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(name, n), '{}')
    FROM (SELECT e.key AS name, sum(e.value::bigint) AS n
          FROM (SELECT * FROM jsonb_each_text(p_a) UNION ALL SELECT * FROM jsonb_each_text(p_b)) e GROUP BY e.key) s
$$;

-- A midnight that was paid stays paid, even when somebody sets bonus_day back. Writes the missed midnights up to p_today of players who are locked. What one midnight puts over the cap is lost to the
-- next one as well, so the purse after each is known from the sum of those before it.
CREATE OR REPLACE FUNCTION post_daily(p_players bigint[], p_today date) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    WITH due AS (
        SELECT p.id, silver_owned(p.id) AS owned, l.silver_cap, g::date AS day,
               daily_amount(streak_before(d, g::date), p.level) AS bonus
        FROM player_days d JOIN players p ON p.id = d.player_id JOIN levels l ON l.level = p.level
        CROSS JOIN generate_series(d.bonus_day + 1, p_today, interval '1 day') g
        WHERE d.player_id = ANY (p_players) AND p.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.key = 'daily:' || p.id || ':' || g::date)
    ), summed AS (
        SELECT *, sum(bonus) OVER (PARTITION BY id ORDER BY day) AS total FROM due WHERE bonus > 0
    ), known AS (
        SELECT id, day, bonus, bonus - (greatest(owned, least(silver_cap, owned + total))
                                        - greatest(owned, least(silver_cap, owned + total - bonus))) AS lost
        FROM summed
    ), headed AS (
        INSERT INTO transfers (cause, key)
        SELECT 'daily', 'daily:' || id || ':' || day FROM known ORDER BY id, day
        RETURNING id, key
    ), posted AS (
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT h.id, x.account, x.amount, x.reason
        FROM known k JOIN headed h ON h.key = 'daily:' || k.id || ':' || k.day
        CROSS JOIN LATERAL (VALUES
            (1, account_house('daily', 'silver'), -k.bonus, 'daily'),
            (2, account_purse(k.id, 'silver'), k.bonus, 'daily'),
            (3, account_purse(k.id, 'silver'), -k.lost, 'over_cap'),
            (4, account_house('over_cap', 'silver'), k.lost, 'over_cap')) AS x (n, account, amount, reason)
        WHERE x.amount <> 0
        ORDER BY k.id, k.day, x.n
    )
    SELECT count(*) INTO v_n FROM known;
    UPDATE player_days SET bonus_day = p_today WHERE player_id = ANY (p_players) AND bonus_day < p_today;
    RETURN v_n;
END $$;

CREATE FUNCTION daily_bonus_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_players bigint[] := ARRAY(SELECT player_id FROM player_days WHERE bonus_day < local_day(p_at)
                                ORDER BY bonus_day, player_id LIMIT setting_int('job_batch'));
BEGIN
    RETURN ROW(cardinality(v_players) = setting_int('job_batch'),
               jsonb_build_object('players', cardinality(v_players), 'midnights', do_daily_bonus(v_players, p_at)))::job_step;
END $$;

-- A node that is gone and that nobody has taken over loses its name's epoch, so that it cannot write any more should it
-- come back; then its tables are cancelled one at a time.
CREATE FUNCTION stale_tables_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_table bigint;
    v_node  text;
    v_epoch bigint;
    v_code  text;
BEGIN
    SELECT t.id, t.node INTO v_table, v_node FROM tables t JOIN nodes n ON n.name = t.node
    WHERE t.state IN ('waiting', 'playing')
      AND n.alive_at < p_at - make_interval(secs => setting_int('stale_table_s'))
    ORDER BY t.id LIMIT 1;
    IF v_table IS NULL OR NOT pg_try_advisory_xact_lock(hashtextextended('rummyd node ' || v_node, 0)) THEN
        RETURN ROW(false, '{"tables": 0}')::job_step;
    END IF;
    UPDATE nodes SET epoch = epoch + 1 WHERE name = v_node RETURNING epoch INTO v_epoch;
    SELECT code INTO v_code FROM do_cancel_table(v_table, v_epoch, 'node gone');
    RETURN ROW(v_code = 'ok', jsonb_build_object('tables', (v_code = 'ok')::integer))::job_step;
END $$;

CREATE FUNCTION upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_rows bigint := do_purge(setting_int('job_batch')::integer);
BEGIN
    RETURN ROW(v_rows >= setting_int('job_batch'), jsonb_build_object('rows', v_rows))::job_step;
END $$;

-- Each job's step is the function <job>_step.
CREATE FUNCTION job_step_of(p_job text, p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_step job_step;
BEGIN
    EXECUTE format('SELECT * FROM %I($1)', p_job || '_step') INTO v_step USING p_at;
    RETURN v_step;
END $$;

-- One step of a call of a job. The caller goes on with p_step + 1 while `again`. Each step is a transaction of its own, so
-- a call that is killed has done whole steps, and the next one goes on behind them. code: ok, api_key_invalid, api_key_forbidden,
-- no_such_job, idempotency_key_reused. body: the answer, once there is no `again`.
CREATE FUNCTION do_job(p_key_hash bytea, p_job text, p_idem_key text, p_body_hash bytea, p_step integer)
    RETURNS TABLE (code text, again boolean, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_key  bigint;
    v_code text;
    v_run  job_runs;
    v_step job_step;
BEGIN
    IF p_step = 0 THEN
        SELECT e.code, e.key_id INTO v_code, v_key
        FROM admin_enter(p_key_hash, 'job:' || p_job, jsonb_build_object('idempotency_key', p_idem_key)) e;
    ELSE
        SELECT CASE WHEN k.id IS NULL THEN 'api_key_invalid' ELSE 'ok' END, k.id INTO v_code, v_key
        FROM (SELECT 1) one LEFT JOIN api_keys k ON k.key_hash = p_key_hash AND k.revoked_at IS NULL;
    END IF;
    IF v_code = 'ok' AND NOT EXISTS (SELECT 1 FROM jobs WHERE job = p_job) THEN
        v_code := 'no_such_job';
    END IF;
    IF v_code = 'ok' THEN
        INSERT INTO job_runs (job, key_id, idem_key, body_hash) VALUES (p_job, v_key, p_idem_key, p_body_hash)
        ON CONFLICT (key_id, idem_key) DO NOTHING;
        SELECT * INTO STRICT v_run FROM job_runs WHERE key_id = v_key AND idem_key = p_idem_key FOR UPDATE;
        IF v_run.job <> p_job OR v_run.body_hash <> p_body_hash THEN
            v_code := 'idempotency_key_reused';
        END IF;
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, false, NULL::text;
        RETURN;
    END IF;
    IF v_run.done_at IS NULL THEN
        v_step := job_step_of(p_job, now());
        UPDATE job_runs SET steps = steps + 1, result = add_counts(result, v_step.result),
                            done_at = CASE WHEN NOT v_step.more THEN clock_timestamp() END
        WHERE id = v_run.id RETURNING * INTO v_run;
        IF NOT v_step.more THEN
            UPDATE jobs SET done_at = v_run.done_at WHERE job = p_job;
        END IF;
    END IF;
    RETURN QUERY SELECT 'ok', v_run.done_at IS NULL AND p_step + 1 < setting_int('job_steps_max'),
        jsonb_build_object('run', v_run.id::text, 'job', v_run.job, 'done', v_run.done_at IS NOT NULL, 'steps', v_run.steps,
                           'started_at', rfc3339(v_run.started_at), 'result', v_run.result)::text;
END $$;

-- Jobs that should have run by now.
CREATE FUNCTION q_jobs(p_at timestamptz)
    RETURNS TABLE (job text, about text, every_s bigint, done_at timestamptz, overdue boolean)
    LANGUAGE sql STABLE AS $$
    SELECT job, about, every_s, done_at,
           coalesce(done_at, since) + make_interval(secs => every_s + grace_s) < p_at
    FROM jobs ORDER BY job
$$;

-- code: as admin_enter.
CREATE FUNCTION q_job_list(p_key_hash bytea) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'job:list', '{}') e;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'ok' THEN jsonb_build_object('items', (
        SELECT jsonb_agg(jsonb_build_object('job', j.job, 'about', j.about, 'every_s', j.every_s, 'overdue', j.overdue,
                                            'done_at', rfc3339(j.done_at)) ORDER BY j.job)
        FROM q_jobs(now()) j))::text END;
END $$;
