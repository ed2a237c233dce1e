-- The whole schema, as the migrations in db/migrations yield it. Made by scripts/dump-schema; to be read,
-- not edited. The rows that come with it (levels, rooms, settings) stand in db/migrations/0001-data.sql.
SET check_function_bodies = false;
SET client_min_messages = warning;


CREATE TYPE public.admin_call AS (
	key_id bigint,
	action text,
	detail jsonb,
	idem_key text,
	body_hash bytea,
	answer jsonb
);

CREATE TYPE public.job_step AS (
	more boolean,
	result jsonb
);

CREATE TYPE public.ledger_leg AS (
	account_id bigint,
	amount bigint,
	reason text
);

CREATE TYPE public.session_answer AS (
	code text,
	id bigint,
	nickname text,
	avatar text,
	kind text,
	level integer,
	title text,
	clover_points bigint,
	level_points bigint,
	level_points_needed bigint,
	rating integer,
	rating_games bigint,
	created_at bigint
);

CREATE FUNCTION public.absent_decisions(p_season integer, p_player bigint, p_limit bigint) RETURNS TABLE(player_id bigint, "position" smallint, to_position smallint, said text)
    LANGUAGE sql STABLE
    AS $$
    SELECT m.player_id, m.position, l.to_position, 'No game counted in the ' || l.name || ' league this season'
           || CASE WHEN l.to_position IS NOT NULL THEN ': you play one league lower.' ELSE ': you are in no league until you play again.' END
    FROM (SELECT * FROM league_members o
          WHERE o.player_id > p_player AND o.since <= p_season
            AND NOT EXISTS (SELECT 1 FROM league_rows r WHERE r.season_no = p_season AND r.player_id = o.player_id)
          ORDER BY o.player_id LIMIT p_limit) m
    JOIN (SELECT position, name, lag(position) OVER (ORDER BY position) AS to_position FROM leagues) l ON l.position = m.position
    ORDER BY m.player_id
$$;

CREATE FUNCTION public.account_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'hold' AND table_id = p_table AND player_id = p_player AND currency = p_currency);
END $$;

CREATE FUNCTION public.account_house(p_cause text, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'house' AND cause = p_cause AND currency = p_currency);
END $$;

CREATE FUNCTION public.account_purse(p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = p_player AND currency = p_currency);
END $$;

CREATE FUNCTION public.add_clover(p_player bigint, p_points bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_level  integer;
    v_points bigint;
    v_needed bigint;
    v_reward bigint;
    v_gold   bigint := 0;
BEGIN
    SELECT level, level_points + p_points INTO STRICT v_level, v_points FROM players WHERE id = p_player;
    LOOP
        SELECT points_needed INTO STRICT v_needed FROM levels WHERE level = v_level;
        EXIT WHEN v_needed IS NULL OR v_points < v_needed;
        v_points := v_points - v_needed;
        v_level := v_level + 1;
        SELECT reward_gold INTO STRICT v_reward FROM levels WHERE level = v_level;
        IF v_reward > 0 THEN
            PERFORM ledger_post('level', 'level:' || p_player || ':' || v_level, NULL, '',
                                credit_legs(p_player, 'gold', v_reward, 'level'));
            v_gold := v_gold + v_reward;
        END IF;
    END LOOP;
    UPDATE players SET level = v_level, level_points = v_points, clover_points = clover_points + p_points
    WHERE id = p_player;
    RETURN v_gold;
END $$;

CREATE FUNCTION public.add_counts(p_a jsonb, p_b jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(jsonb_object_agg(name, n), '{}')
    FROM (SELECT e.key AS name, sum(e.value::bigint) AS n
          FROM (SELECT * FROM jsonb_each_text(p_a) UNION ALL SELECT * FROM jsonb_each_text(p_b)) e GROUP BY e.key) s
$$;

CREATE FUNCTION public.add_rating(p_player bigint, p_variant text, p_at timestamp with time zone, p_points bigint, p_won boolean, p_rummy boolean, p_clover bigint DEFAULT 0) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating, clover)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, rating_of(p_points, 1), p_clover
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, rating = rating_of(r.points + excluded.points, r.games + 1), clover = r.clover + excluded.clover;
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

CREATE TABLE public.achievements (
    id text NOT NULL,
    "position" smallint NOT NULL,
    gold bigint NOT NULL,
    counter text NOT NULL,
    goal bigint NOT NULL,
    about text NOT NULL,
    CONSTRAINT achievements_goal_check CHECK ((goal > 0)),
    CONSTRAINT achievements_gold_check CHECK ((gold >= 0))
);

CREATE FUNCTION public.admin_achievement_json(a public.achievements) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object('id', a.id, 'gold', a.gold, 'counter', a.counter, 'goal', a.goal, 'about', a.about)
$$;

CREATE FUNCTION public.admin_begin(p_key_hash bytea, p_action text, p_detail jsonb, p_idem_key text, p_body_hash bytea) RETURNS public.admin_call
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_call  admin_call := ROW(NULL, p_action, p_detail, p_idem_key, p_body_hash, NULL)::admin_call;
    v_role  text;
    v_code  text;
    v_first admin_answers;
BEGIN
    SELECT k.id, k.role INTO v_call.key_id, v_role FROM api_keys k WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL;
    IF v_call.key_id IS NULL THEN
        v_call.answer := '{"code": "api_key_invalid"}';
        RETURN v_call;
    END IF;
    IF v_role <> 'admin' THEN
        v_code := 'api_key_forbidden';
    ELSIF p_idem_key IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('admin ' || v_call.key_id || ' ' || p_idem_key, 0));
        SELECT * INTO v_first FROM admin_answers WHERE key_id = v_call.key_id AND idem_key = p_idem_key;
        v_code := CASE WHEN v_first.key_id IS NULL THEN NULL WHEN v_first.body_hash = p_body_hash THEN 'repeated'
                       ELSE 'idempotency_key_reused' END;
    END IF;
    IF v_code IS NOT NULL THEN
        INSERT INTO audit (key_id, action, detail, code) VALUES (v_call.key_id, p_action, p_detail, v_code);
        v_call.answer := CASE v_code WHEN 'repeated' THEN v_first.answer ELSE jsonb_build_object('code', v_code) END;
    END IF;
    RETURN v_call;
END $$;

CREATE FUNCTION public.admin_end(p_call public.admin_call, p_code text, p_body jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_answer jsonb := jsonb_build_object('code', p_code, 'body', p_body);
BEGIN
    INSERT INTO audit (key_id, action, detail, code) VALUES (p_call.key_id, p_call.action, p_call.detail, p_code);
    IF p_call.idem_key IS NOT NULL THEN
        INSERT INTO admin_answers (key_id, idem_key, body_hash, answer)
        VALUES (p_call.key_id, p_call.idem_key, p_call.body_hash, v_answer);
        DELETE FROM admin_answers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM admin_answers WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT 100));
    END IF;
    RETURN v_answer;
END $$;

CREATE FUNCTION public.admin_enter(p_key_hash bytea, p_action text, p_detail jsonb, OUT code text, OUT key_id bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.admin_order_json(p_order bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT shop_order_json(o) || jsonb_build_object(
        'player_id', o.player_id::text, 'payment_ref', o.payment_ref,
        'log', (SELECT jsonb_agg(jsonb_build_object('at', rfc3339(l.at), 'state', l.to_state, 'why', nullif(l.why, '')) ORDER BY l.id)
                FROM shop_order_log l WHERE l.order_id = o.id),
        'refunds', coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id::text, 'at', rfc3339(r.created_at), 'key', k.name,
                'state', r.state, 'reason', r.reason, 'why', nullif(r.why, '')) ORDER BY r.id)
                FROM shop_refunds r JOIN api_keys k ON k.id = r.key_id WHERE r.order_id = o.id), '[]'),
        'flags', coalesce((SELECT jsonb_agg(jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at), 'reason', f.reason,
                'gold', f.gold, 'settled_at', rfc3339(f.settled_at)) ORDER BY f.id)
                FROM shop_flags f WHERE f.order_id = o.id), '[]'))
    FROM shop_orders o WHERE o.id = p_order
$$;

CREATE TABLE public.shop_packs (
    id text NOT NULL,
    "position" smallint NOT NULL,
    name text NOT NULL,
    gold bigint NOT NULL,
    price_minor bigint NOT NULL,
    currency text NOT NULL,
    on_sale boolean DEFAULT true NOT NULL,
    CONSTRAINT shop_packs_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
    CONSTRAINT shop_packs_gold_check CHECK (((gold >= 1) AND (gold <= 1000000))),
    CONSTRAINT shop_packs_id_check CHECK ((id ~ '^[a-z0-9_]{1,32}$'::text)),
    CONSTRAINT shop_packs_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
    CONSTRAINT shop_packs_price_minor_check CHECK (((price_minor >= 1) AND (price_minor <= 100000000)))
);

CREATE FUNCTION public.admin_pack_json(k public.shop_packs) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object('id', k.id, 'name', k.name, 'gold', k.gold, 'amount', k.price_minor, 'currency', k.currency,
                              'on_sale', k.on_sale)
$$;

CREATE FUNCTION public.admin_player_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object(
        'id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'email', c.email, 'level', p.level,
        'clover_points', p.clover_points, 'created_at', rfc3339(p.created_at), 'banned_at', rfc3339(p.banned_at),
        'chat_muted_until', CASE WHEN p.chat_muted_until > now() THEN rfc3339(p.chat_muted_until) END,
        'deleted_at', rfc3339(p.deleted_at),
        'silver', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'silver')),
        'gold', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'gold')),
        'tables', coalesce((SELECT jsonb_agg(s.table_id::text ORDER BY s.table_id) FROM seats s WHERE s.player_id = p.id AND s.live), '[]'),
        'orders', (SELECT count(*) FROM shop_orders o WHERE o.player_id = p.id),
        'reports', (SELECT count(*) FROM reports r WHERE r.reported_id = p.id),
        'invited_by', (SELECT inviter_id::text FROM invites WHERE invited_id = p.id),
        'notes', coalesce((SELECT jsonb_agg(jsonb_build_object('at', rfc3339(n.at), 'key', k.name, 'text', n.text) ORDER BY n.id DESC)
                           FROM (SELECT * FROM player_notes WHERE player_id = p.id ORDER BY id DESC LIMIT 50) n
                           JOIN api_keys k ON k.id = n.key_id), '[]'))
    FROM players p LEFT JOIN credentials c ON c.player_id = p.id WHERE p.id = p_player
$$;

CREATE TABLE public.rooms (
    id text NOT NULL,
    "position" smallint NOT NULL,
    name text NOT NULL,
    variant text NOT NULL,
    params text DEFAULT ''::text NOT NULL,
    seats_n smallint NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    title text NOT NULL,
    bots boolean NOT NULL,
    bot_level smallint NOT NULL,
    fill_wait_ms integer NOT NULL,
    open boolean NOT NULL,
    watch_delay_ms integer DEFAULT 0,
    CONSTRAINT rooms_bot_level_check CHECK (((bot_level >= 1) AND (bot_level <= 3))),
    CONSTRAINT rooms_fill_wait_ms_check CHECK ((fill_wait_ms >= 0)),
    CONSTRAINT rooms_multiplier_tenths_check CHECK ((multiplier_tenths >= 0)),
    CONSTRAINT rooms_reward_check CHECK ((reward >= 0)),
    CONSTRAINT rooms_seats_n_check CHECK (((seats_n >= 2) AND (seats_n <= 6))),
    CONSTRAINT rooms_stake_check CHECK ((stake >= 0)),
    CONSTRAINT rooms_watch_delay_ms_check CHECK (((watch_delay_ms >= 0) AND (watch_delay_ms <= 3600000)))
);

CREATE FUNCTION public.admin_room_json(r public.rooms) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats_n', r.seats_n, 'stake', r.stake, 'reward', r.reward,
                              'multiplier_tenths', r.multiplier_tenths, 'title', r.title, 'bots', r.bots,
                              'fill_wait_ms', r.fill_wait_ms, 'open', r.open)
$$;

CREATE FUNCTION public.admin_table_json(p_table bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object(
        'id', t.id::text, 'state', t.state, 'variant', t.variant, 'room', t.room_id, 'node', t.node, 'stake', t.stake,
        'created_at', rfc3339(t.created_at), 'started_at', rfc3339(t.started_at), 'ended_at', rfc3339(t.ended_at),
        'seats', coalesce((SELECT jsonb_agg(jsonb_build_object('seat', s.seat, 'player_id', s.player_id::text, 'nickname', s.nickname,
                               'held_silver', coalesce((SELECT balance FROM accounts WHERE id = account_hold(t.id, s.player_id, 'silver')), 0),
                               'held_gold', coalesce((SELECT balance FROM accounts WHERE id = account_hold(t.id, s.player_id, 'gold')), 0))
                           ORDER BY s.seat) FROM seats s WHERE s.table_id = t.id), '[]'))
    FROM tables t WHERE t.id = p_table
$$;

CREATE FUNCTION public.audit_refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'audit: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.board_add_moves(p_board integer, OUT scores bigint[], OUT ties bigint[]) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashjoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_part   integer := setting_int('board_part');
    v_scores bigint[];
    v_ties   bigint[];
BEGIN
    SELECT t.scores, t.ties INTO v_scores, v_ties FROM board_tops t WHERE t.board_id = p_board;
    WITH moved AS (
        DELETE FROM board_moves WHERE board_id = p_board RETURNING score, tie, change
    ), pieced AS (
        SELECT *, board_part(v_scores, v_ties, score, tie) AS i FROM moved
    ), parted AS (
        SELECT b.ctid AS at, board_part(b.scores, b.ties, m.score, m.tie) AS part, sum(m.change)::integer AS change
        FROM pieced m JOIN board_pieces b ON b.board_id = p_board AND b.score = v_scores[m.i] AND b.tie = v_ties[m.i]
        GROUP BY 1, 2
    ), summed AS (
        SELECT at, array_agg(part) AS parts, array_agg(change) AS changes FROM parted WHERE change <> 0 GROUP BY at
    ), added AS (
        UPDATE board_pieces b SET reach = board_reach(b.reach, s.parts, s.changes) FROM summed s WHERE b.ctid = s.at
        RETURNING b.score, b.tie, b.reach[1] NOT BETWEEN v_part * v_part AND 8 * v_part * v_part
            OR EXISTS (SELECT FROM unnest(s.parts) i WHERE b.reach[i] - coalesce(b.reach[i + 1], 0) > 2 * v_part) AS uneven
    )
    SELECT coalesce(array_agg(a.score ORDER BY a.score, a.tie), '{}'), coalesce(array_agg(a.tie ORDER BY a.score, a.tie), '{}') INTO scores, ties
    FROM added a WHERE a.uneven;
END $$;

CREATE FUNCTION public.board_behind(p_board integer, p_score bigint, p_player bigint, p_limit bigint, OUT players bigint[], OUT scores bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND (score, -player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_player, 0))
          ORDER BY score DESC, (-player_id) DESC LIMIT p_limit) e;
END $$;

CREATE FUNCTION public.board_cut(p_board integer, p_score bigint, p_tie bigint, p_to_score bigint, p_to_tie bigint) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_part integer := setting_int('board_part');
BEGIN
    DELETE FROM board_pieces b WHERE b.board_id = p_board AND (b.score, b.tie) >= (p_score, p_tie) AND (b.score, b.tie) < (p_to_score, p_to_tie);
    WITH placed AS MATERIALIZED (
        SELECT e.score, e.tie, row_number() OVER (ORDER BY e.score, e.tie) - 1 AS no FROM (
            SELECT score, -player_id AS tie FROM board_entries
            WHERE board_id = p_board AND score = p_score AND -player_id >= p_tie AND (p_score < p_to_score OR -player_id < p_to_tie)
            UNION ALL SELECT score, -player_id FROM board_entries WHERE board_id = p_board AND score > p_score AND score < p_to_score
            UNION ALL SELECT score, -player_id FROM board_entries
            WHERE board_id = p_board AND score = p_to_score AND -player_id < p_to_tie AND p_score < p_to_score) e
    ), sized AS (
        SELECT count(*) AS n, greatest(ceil(count(*) / greatest(round(count(*) / (4.0 * v_part * v_part)), 1)), 1)::bigint AS piece FROM placed
    ), begun AS (
        SELECT p_score AS score, p_tie AS tie, 0 AS no
        UNION ALL SELECT p.score, p.tie, p.no FROM placed p, sized s WHERE p.no > 0 AND p.no % s.piece % v_part = 0
    ), bounded AS (
        SELECT b.*, b.no / s.piece AS piece, lead(b.no, 1, s.n) OVER w - b.no AS n,
               lead(b.score, 1, p_to_score) OVER w AS to_score, lead(b.tie, 1, p_to_tie) OVER w AS to_tie
        FROM begun b, sized s WINDOW w AS (ORDER BY b.no)
    ), reaching AS (
        SELECT b.*, sum(b.n - (SELECT coalesce(sum(m.change), 0) FROM board_moves m
                               WHERE m.board_id = p_board AND (m.score, m.tie) >= (b.score, b.tie) AND (m.score, m.tie) < (b.to_score, b.to_tie)))
                    OVER (PARTITION BY b.piece ORDER BY b.no DESC) AS reach
        FROM bounded b
    )
    INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
    SELECT p_board, (array_agg(score ORDER BY no))[1], (array_agg(tie ORDER BY no))[1],
           array_agg(score ORDER BY no), array_agg(tie ORDER BY no), array_agg(reach::integer ORDER BY no)
    FROM reaching GROUP BY piece;
END $$;

CREATE FUNCTION public.board_even_out(p_board integer, p_score bigint, p_tie bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_end  bigint := 9223372036854775807;
    v_few  bigint := setting_int('board_part') ^ 2;
    v_n    bigint;
    v_next board_pieces;
BEGIN
    SELECT reach[1] INTO v_n FROM board_pieces WHERE board_id = p_board AND score = p_score AND tie = p_tie;
    IF NOT FOUND THEN
        RETURN; -- with another one already
    END IF;
    FOR v_next IN SELECT * FROM board_pieces WHERE board_id = p_board AND (score, tie) > (p_score, p_tie) ORDER BY score, tie LOOP
        EXIT WHEN v_n >= v_few;
        v_n := v_n + v_next.reach[1];
        v_next := NULL;
    END LOOP;
    IF v_next.score IS NULL AND v_n < v_few THEN
        SELECT score, tie INTO p_score, p_tie FROM (
            SELECT score, tie FROM board_pieces WHERE board_id = p_board AND (score, tie) <= (p_score, p_tie) ORDER BY score DESC, tie DESC LIMIT 2) b
        ORDER BY score, tie LIMIT 1;
    END IF;
    PERFORM board_cut(p_board, p_score, p_tie, coalesce(v_next.score, v_end), coalesce(v_next.tie, v_end));
END $$;

CREATE FUNCTION public.board_fold(p_board integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_begin  bigint := -9223372036854775807; -- behind all places
    v_new    boolean;
    v_scores bigint[];
    v_ties   bigint[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || p_board, 0));
    v_new := NOT EXISTS (SELECT FROM board_tops WHERE board_id = p_board);
    IF v_new THEN -- one statement, so that entries and moves are of one moment
        INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
        SELECT p_board, v_begin, v_begin, ARRAY[v_begin], ARRAY[v_begin], ARRAY[
            (SELECT count(*) FROM board_entries WHERE board_id = p_board)
            - (SELECT coalesce(sum(change), 0) FROM board_moves WHERE board_id = p_board)];
        PERFORM board_top(p_board);
    END IF;
    SELECT scores, ties INTO v_scores, v_ties FROM board_add_moves(p_board);
    IF v_new THEN
        v_scores := ARRAY[v_begin];
        v_ties := ARRAY[v_begin];
    END IF;
    FOR i IN 1 .. cardinality(v_scores) LOOP
        PERFORM board_even_out(p_board, v_scores[i], v_ties[i]);
    END LOOP;
    PERFORM board_top(p_board);
END $$;

CREATE FUNCTION public.board_games(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE p_kind WHEN 'rating' THEN p_score & 1073741823 END
$$;

CREATE FUNCTION public.board_lines(p_reader bigint, p_board integer, p_players bigint[], p_scores bigint[], p_places bigint[]) RETURNS TABLE(player_id bigint, score bigint, place bigint, body json)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    IF p_places IS NULL THEN
        SELECT array_agg(f.player_id), array_agg(f.score), array_agg(f.place) INTO p_players, p_scores, p_places
        FROM board_places(p_board, p_players, p_scores) f;
    END IF;
    RETURN QUERY
    SELECT e.player_id, e.score, e.place, json_build_object(
        'place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
        'value', board_value(v_board.kind, e.score), 'own', e.player_id = p_reader,
        'games', coalesce(board_games(v_board.kind, e.score), (
            SELECT r.games FROM ratings r
            WHERE r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period)))
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, place)
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    ORDER BY e.score DESC, e.player_id;
END $$;

CREATE FUNCTION public.board_named(p_variant text, p_kind text, p_period text, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM boards WHERE variant = p_variant AND kind = p_kind
            AND period = CASE p_period WHEN 'month' THEN to_char(local_day(p_at), 'YYYY-MM') ELSE p_period END);
END $$;

CREATE FUNCTION public.board_note_both() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows
    UNION ALL SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

CREATE FUNCTION public.board_note_new() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

CREATE FUNCTION public.board_note_old() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows;
    RETURN NULL;
END $$;

CREATE FUNCTION public.board_of(p_kind text, p_variant text, p_period text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_id integer;
BEGIN
    SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    IF NOT FOUND THEN
        INSERT INTO boards (kind, variant, period) VALUES (p_kind, p_variant, p_period)
        ON CONFLICT (kind, variant, period) DO NOTHING;
        SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION public.board_of_friends(p_board integer, p_reader bigint, p_score bigint, p_after bigint, p_limit bigint, OUT players bigint[], OUT scores bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    p_score := coalesce(p_score, 9223372036854775807);
    p_after := coalesce(p_after, 0);
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND player_id = ANY (ARRAY(SELECT f FROM friends_of(p_reader) f) || p_reader)
            AND score <= p_score AND (score < p_score OR player_id > p_after)
          ORDER BY score DESC, player_id LIMIT p_limit) e;
END $$;

CREATE FUNCTION public.board_part(p_scores bigint[], p_ties bigint[], p_score bigint, p_tie bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT width_bucket(p_score - 1, p_scores)
           + width_bucket(p_tie, p_ties[width_bucket(p_score - 1, p_scores) + 1 : width_bucket(p_score, p_scores)])
$$;

CREATE FUNCTION public.board_place(p_board integer, p_score bigint, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT place FROM board_places(p_board, ARRAY[p_player], ARRAY[p_score]));
END $$;

CREATE FUNCTION public.board_places(p_board integer, p_players bigint[], p_scores bigint[]) RETURNS TABLE(player_id bigint, score bigint, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_end    bigint := 9223372036854775807; -- behind all places
    v_scores bigint[];
    v_ties   bigint[];
    v_above  bigint[];
BEGIN
    SELECT t.scores, t.ties, t.above INTO v_scores, v_ties, v_above FROM board_tops t WHERE t.board_id = p_board;
    RETURN QUERY
    WITH pieced AS (
        SELECT u.player_id, u.score, board_part(v_scores, v_ties, u.score, -u.player_id) AS i FROM unnest(p_players, p_scores) u (player_id, score) OFFSET 0
    ), parted AS (
        SELECT a.player_id, a.score, -a.player_id AS tie, coalesce(v_above[a.i], 0) + coalesce(b.reach, 0) AS above,
               coalesce(b.score, v_scores[a.i + 1], v_end) AS to_score, coalesce(b.tie, v_ties[a.i + 1], v_end) AS to_tie
        FROM pieced a LEFT JOIN LATERAL (
            SELECT c.scores[c.j + 1] AS score, c.ties[c.j + 1] AS tie, c.reach[c.j + 1] AS reach
            FROM (SELECT p.scores, p.ties, p.reach, board_part(p.scores, p.ties, a.score, -a.player_id) AS j FROM board_pieces p
                  WHERE p.board_id = p_board AND p.score = v_scores[a.i] AND p.tie = v_ties[a.i] OFFSET 0) c OFFSET 0) b ON true
    ), apart AS (
        SELECT c.*, lag(c.to_score, 1, v_end) OVER w AS before_score, lag(c.to_tie, 1, v_end) OVER w AS before_tie
        FROM parted c WINDOW w AS (ORDER BY c.to_score DESC, c.to_tie DESC)
    )
    SELECT o.player_id, o.score, 1 + o.above + e.n + f.n + sum(m.n) OVER (ORDER BY o.to_score DESC, o.to_tie DESC)
    FROM apart o
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.change), 0)::integer AS n FROM board_moves b
                        WHERE b.board_id = p_board AND (b.score, b.tie) >= (o.to_score, o.to_tie)
                          AND (b.score, b.tie) < (o.before_score, o.before_tie)) m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND (b.score, -b.player_id) > (o.score, o.tie) AND b.score < o.to_score AND o.score < o.to_score) e
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND b.score = o.to_score AND -b.player_id < o.to_tie
                          AND -b.player_id > CASE WHEN o.to_score = o.score THEN o.tie ELSE -v_end END) f;
END $$;

CREATE FUNCTION public.board_reach(p_reach integer[], p_parts integer[], p_changes integer[]) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    FOR j IN 1 .. cardinality(p_parts) LOOP
        FOR i IN 1 .. p_parts[j] LOOP
            p_reach[i] := p_reach[i] + p_changes[j];
        END LOOP;
    END LOOP;
    RETURN p_reach;
END $$;

CREATE FUNCTION public.board_refusal(p_variant text, p_kind text, p_period text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
BEGIN
    RETURN (SELECT CASE WHEN p_kind NOT IN ('rating', 'clover', 'wins', 'rummies')
                             OR p_variant NOT IN (SELECT variant FROM ranked_variants) THEN 'no_such_board'
                        WHEN p_period NOT IN ('all', 'month') AND p_period !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$' THEN 'no_such_period' END);
END $_$;

CREATE TABLE public.ratings (
    player_id bigint NOT NULL,
    variant text NOT NULL,
    period text NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    rummies bigint NOT NULL,
    rating integer NOT NULL,
    clover bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ratings_clover_check CHECK ((clover >= 0)),
    CONSTRAINT ratings_games_check CHECK ((games > 0)),
    CONSTRAINT ratings_period_check CHECK (((period = 'all'::text) OR (period ~ '^[0-9]{4}-[0-9]{2}$'::text))),
    CONSTRAINT ratings_points_check CHECK ((points >= 0))
);

CREATE FUNCTION public.board_score(p_kind text, r public.ratings) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE p_kind WHEN 'rating' THEN (r.rating::bigint << 30) + least(r.games, 1073741823)
                       WHEN 'clover' THEN r.clover WHEN 'wins' THEN r.wins ELSE r.rummies END
$$;

CREATE FUNCTION public.board_top(p_board integer) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO board_tops (board_id, scores, ties, above)
    SELECT p_board, array_agg(score ORDER BY score, tie), array_agg(tie ORDER BY score, tie), array_agg(above ORDER BY score, tie)
    FROM (SELECT score, tie, sum(reach[1]) OVER (ORDER BY score DESC, tie DESC ROWS UNBOUNDED PRECEDING) - reach[1] AS above
          FROM board_pieces WHERE board_id = p_board) b
    ON CONFLICT (board_id) DO UPDATE SET scores = excluded.scores, ties = excluded.ties, above = excluded.above
$$;

CREATE FUNCTION public.board_value(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE p_kind WHEN 'rating' THEN p_score >> 30 ELSE p_score END
$$;

CREATE FUNCTION public.bought_minor(p_player bigint, p_at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(sum(limit_worth(price_minor, currency)), 0)::bigint FROM shop_orders
    WHERE player_id = p_player AND created_at >= local_midnight(p_at) AND state NOT IN ('failed', 'expired')
$$;

CREATE FUNCTION public.clover_of(p_game_points integer, p_rummy boolean, p_multiplier_tenths integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_game_points + CASE WHEN p_rummy THEN setting_int('rummy_clover_points') ELSE 0 END) * p_multiplier_tenths / 10);
END $$;

CREATE TABLE public.game_players (
    game_id bigint NOT NULL,
    seat smallint NOT NULL,
    player_id bigint,
    nickname text NOT NULL,
    avatar text NOT NULL,
    client_seed bytea NOT NULL,
    place smallint NOT NULL,
    points integer NOT NULL,
    opened boolean NOT NULL,
    cards_left smallint NOT NULL,
    won boolean NOT NULL,
    rummy boolean NOT NULL,
    left_early boolean NOT NULL,
    game_points integer DEFAULT 0 NOT NULL,
    clover bigint DEFAULT 0 NOT NULL,
    silver bigint DEFAULT 0 NOT NULL,
    gold bigint DEFAULT 0 NOT NULL,
    silver_lost bigint DEFAULT 0 NOT NULL,
    level_gold bigint DEFAULT 0 NOT NULL,
    level integer,
    levels_gained integer DEFAULT 0 NOT NULL,
    title text,
    rating integer,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT game_players_cards_left_check CHECK ((cards_left >= 0)),
    CONSTRAINT game_players_place_check CHECK ((place > 0))
);

CREATE TABLE public.games (
    id bigint NOT NULL,
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    room_id text,
    variant text NOT NULL,
    params text NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    people_n smallint NOT NULL,
    rated boolean NOT NULL,
    practice boolean NOT NULL,
    ending text NOT NULL,
    moves_n integer NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT games_ending_check CHECK ((ending = ANY (ARRAY['out'::text, 'no_cards'::text, 'stalled'::text, 'last'::text])))
);

CREATE FUNCTION public.count_achievements(p_game public.games, p_result public.game_players) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    p bigint := p_result.player_id;
    f jsonb := p_result.facts;
    v_names  text[] := ARRAY['games'];
    v_ns     bigint[];
    v_streak bigint := (SELECT streak FROM player_days WHERE player_id = p);
    v_row    bigint;
BEGIN
    IF p_result.won THEN v_names := v_names || 'any_wins'::text; END IF;
    IF p_result.won AND p_game.rated THEN v_names := v_names || 'wins'::text; END IF;
    IF p_result.opened THEN v_names := v_names || 'opened'::text; END IF;
    IF p_result.rummy THEN v_names := v_names || 'rummies'::text; END IF;
    IF (f->>'opening')::bigint = 51 THEN v_names := v_names || 'opened_51'::text; END IF;
    IF (f->>'opening')::bigint >= 100 THEN v_names := v_names || 'opened_100'::text; END IF;
    IF (f->>'buried')::boolean THEN v_names := v_names || 'buried'::text; END IF;
    IF p_result.won AND (f->>'joker_out')::boolean THEN v_names := v_names || 'joker_out'::text; END IF;
    v_ns := array_fill(1::bigint, ARRAY[cardinality(v_names)]);
    IF (f->>'swaps')::bigint > 0 THEN
        v_names := v_names || 'swaps'::text;
        v_ns := v_ns || (f->>'swaps')::bigint;
    END IF;
    IF v_streak > 0 THEN
        v_names := v_names || 'day_streak'::text;
        v_ns := v_ns || v_streak;
    END IF;
    IF p_result.levels_gained > 0 THEN
        v_names := v_names || 'level'::text;
        v_ns := v_ns || p_result.level::bigint;
    END IF;
    IF p_game.rated THEN
        INSERT INTO player_counters AS c (player_id, counter, n) VALUES (p, 'wins_in_row', p_result.won::integer)
        ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_result.won THEN c.n + 1 ELSE 0 END
        RETURNING n INTO v_row;
        IF v_row > 0 THEN
            v_names := v_names || 'win_streak'::text;
            v_ns := v_ns || v_row;
        END IF;
    END IF;
    PERFORM count_all(p, v_names, v_ns, '{day_streak,level,win_streak}');
END $$;

CREATE FUNCTION public.count_all(p_player bigint, p_counters text[], p_ns bigint[], p_reached text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_achievement achievements;
BEGIN
    INSERT INTO player_counters AS c (player_id, counter, n)
    SELECT p_player, u.counter, u.n FROM unnest(p_counters, p_ns) u (counter, n)
    ON CONFLICT (player_id, counter) DO UPDATE
    SET n = CASE WHEN c.counter = ANY (p_reached) THEN greatest(c.n, excluded.n) ELSE c.n + excluded.n END;
    FOR v_achievement IN
        SELECT a.* FROM unnest(p_counters) WITH ORDINALITY u (counter, at)
        JOIN player_counters c ON c.player_id = p_player AND c.counter = u.counter
        JOIN achievements a ON a.counter = u.counter AND a.goal <= c.n
        WHERE NOT EXISTS (SELECT 1 FROM player_achievements e WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY u.at, a.position LOOP
        INSERT INTO player_achievements (player_id, achievement_id) VALUES (p_player, v_achievement.id);
        IF v_achievement.gold > 0 THEN
            PERFORM ledger_post('achievement', 'achievement:' || p_player || ':' || v_achievement.id, NULL, '',
                                credit_legs(p_player, 'gold', v_achievement.gold, 'achievement'));
        END IF;
        PERFORM notify_player(p_player, 'achievement', jsonb_build_object(
            'id', v_achievement.id, 'about', v_achievement.about, 'gold', v_achievement.gold));
    END LOOP;
END $$;

CREATE FUNCTION public.count_league_games(p_players bigint[], p_room_position integer, p_points bigint[], p_won boolean[], p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_season seasons;
BEGIN
    PERFORM lock_seasons(false);
    PERFORM ensure_seasons(p_at);
    SELECT * INTO v_season FROM seasons
    WHERE state IN ('coming', 'opening', 'open') AND ends_at > p_at ORDER BY no LIMIT 1;
    IF NOT FOUND THEN -- it began before the season ended and ends behind it
        SELECT * INTO STRICT v_season FROM seasons WHERE state = 'coming' ORDER BY no LIMIT 1;
    END IF;
    INSERT INTO league_games AS g (season_no, player_id, room_position, games, points, wins)
    SELECT v_season.no, u.player_id, p_room_position, 1, u.points, u.won::integer
    FROM unnest(p_players, p_points, p_won) u (player_id, points, won)
    ON CONFLICT (season_no, player_id, room_position) DO UPDATE
    SET games = g.games + 1, points = g.points + excluded.points, wins = g.wins + excluded.wins;
    IF v_season.state <> 'coming' THEN
        PERFORM make_league_rows(v_season.no, p_players);
    END IF;
END $$;

CREATE FUNCTION public.count_stats(p_game public.games) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO player_stats (player_id, variant)
    SELECT r.player_id, p_game.variant FROM game_players r WHERE r.game_id = p_game.id AND r.player_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    UPDATE player_stats s
    SET games = s.games + 1, rated = s.rated + p_game.rated::integer, wins = s.wins + r.won::integer,
        points = s.points + CASE WHEN p_game.rated THEN r.game_points ELSE 0 END,
        opened = s.opened + r.opened::integer, rummies = s.rummies + r.rummy::integer,
        places[r.place] = s.places[r.place] + 1,
        streak = CASE WHEN NOT p_game.rated THEN s.streak WHEN r.won THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN p_game.rated AND r.won THEN s.streak + 1 ELSE 0 END)
    FROM game_players r
    WHERE r.game_id = p_game.id AND s.player_id = r.player_id AND s.variant = p_game.variant;
END $$;

CREATE FUNCTION public.count_towards(p_player bigint, p_counter text, p_n bigint, p_reached boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM count_all(p_player, ARRAY[p_counter], ARRAY[p_n], CASE WHEN p_reached THEN ARRAY[p_counter] ELSE '{}' END);
END $$;

CREATE FUNCTION public.credit_legs(p_player bigint, p_currency text, p_amount bigint, p_cause text) RETURNS public.ledger_leg[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_purse bigint := CASE WHEN p_amount <> 0 THEN account_purse(p_player, p_currency) END;
    v_lost  bigint := CASE WHEN p_amount <> 0 AND p_currency = 'silver' THEN silver_over_cap(p_player, p_amount) ELSE 0 END;
BEGIN
    RETURN ARRAY[
        ROW(CASE WHEN p_amount <> 0 THEN account_house(p_cause, p_currency) END, -p_amount, p_cause),
        ROW(v_purse, p_amount, p_cause),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(CASE WHEN v_lost <> 0 THEN account_house('over_cap', p_currency) END, v_lost, 'over_cap')]::ledger_leg[];
END $$;

CREATE FUNCTION public.daily_amount(p_streak integer, p_level integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN daily_amount(p_streak, p_level, setting_int('daily_base'), setting_int('daily_streak_step'), setting_int('daily_streak_max'),
                        setting_int('daily_level_step'));
END $$;

CREATE FUNCTION public.daily_amount(p_streak integer, p_level integer, p_base bigint, p_step bigint, p_max bigint, p_level_step bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT p_base + p_step * (greatest(1, least(p_streak, p_max)) - 1) + p_level_step * (p_level - 1)
$$;

CREATE FUNCTION public.daily_bonus_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_players bigint[] := ARRAY(SELECT player_id FROM player_days WHERE bonus_day < local_day(p_at)
                                ORDER BY bonus_day, player_id LIMIT setting_int('job_batch'));
BEGIN
    RETURN ROW(cardinality(v_players) = setting_int('job_batch'),
               jsonb_build_object('players', cardinality(v_players), 'midnights', do_daily_bonus(v_players, p_at)))::job_step;
END $$;

CREATE FUNCTION public.do_accept_invite(p_player bigint, p_code text, p_idem_key text, p_body_hash bytea) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer  jsonb;
    v_player  players;
    v_inviter bigint := inviter_of(p_code);
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'accept_invite', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := coalesce(
            CASE WHEN v_inviter IS NULL THEN 'invite_unknown' WHEN v_inviter = p_player THEN 'invite_self'
                 WHEN v_player.kind <> 'registered' THEN 'invite_guest' END,
            invite_refusal(p_player, v_inviter),
            CASE WHEN coalesce((SELECT c.created_at FROM credentials c WHERE c.player_id = p_player), v_player.created_at)
                      < now() - make_interval(secs => setting_int('invite_accept_s')) THEN 'invite_late' ELSE 'ok' END);
        IF v_code = 'ok' THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        v_answer := jsonb_build_object('code', v_code, 'gold', setting_int('invited_gold'));
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'accept_invite', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', jsonb_build_object('gold', v_answer->'gold')::text;
END $$;

CREATE FUNCTION public.do_admin_achievement(p_key_hash bytea, p_achievement text, p_gold bigint, p_goal bigint, p_about text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_achievement', jsonb_strip_nulls(jsonb_build_object(
        'achievement', p_achievement, 'gold', p_gold, 'goal', p_goal, 'about', p_about)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE achievements a SET gold = coalesce(p_gold, gold), goal = coalesce(p_goal, goal), about = coalesce(p_about, about)
        WHERE id = p_achievement RETURNING admin_achievement_json(a) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_achievement' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_apart(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_other text, p_apart boolean, p_reason text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'apart', jsonb_build_object('player', p_player, 'other', p_other, 'apart', p_apart, 'reason', p_reason),
                                      p_idem_key, p_body_hash);
    v_other bigint := CASE WHEN p_other ~ '^[0-9]{1,18}$' THEN p_other::bigint END;
    v_code  text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        IF v_other = p_player OR (SELECT count(*) FROM players WHERE id IN (p_player, v_other) AND deleted_at IS NULL) < 2 THEN
            v_code := 'player_unknown';
        ELSIF p_apart THEN
            INSERT INTO players_apart (low_id, high_id) VALUES (least(p_player, v_other), greatest(p_player, v_other)) ON CONFLICT DO NOTHING;
        ELSE
            DELETE FROM players_apart WHERE low_id = least(p_player, v_other) AND high_id = greatest(p_player, v_other);
        END IF;
        IF v_code = 'ok' THEN
            INSERT INTO player_notes (player_id, key_id, text)
            SELECT one, v_call.key_id, CASE WHEN p_apart THEN 'Kept apart from ' ELSE 'May meet again: ' END || two || ': ' || p_reason
            FROM (VALUES (p_player, v_other), (v_other, p_player)) pairs (one, two);
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $_$;

CREATE FUNCTION public.do_admin_ban(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_banned boolean, p_reason text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call    admin_call := admin_begin(p_key_hash, CASE WHEN p_banned THEN 'ban' ELSE 'unban' END,
                                        jsonb_build_object('player', p_player, 'reason', p_reason), p_idem_key, p_body_hash);
    v_code    text := 'ok';
    v_waiting bigint[];
    v_table   bigint;
BEGIN
    IF v_call.answer IS NULL THEN
        IF p_banned THEN
            v_waiting := ARRAY(SELECT s.table_id FROM seats s JOIN tables t ON t.id = s.table_id
                               WHERE s.player_id = p_player AND s.live AND t.state = 'waiting');
            PERFORM do_lock_tables(v_waiting);
            PERFORM lock_players(ARRAY[p_player]);
            FOREACH v_table IN ARRAY v_waiting LOOP
                PERFORM do_leave_seat(p_player, v_table);
            END LOOP;
            DELETE FROM tickets t WHERE t.player_id = p_player AND t.expires_at > now();
        END IF;
        UPDATE players SET banned_at = CASE WHEN p_banned THEN coalesce(banned_at, now()) END WHERE id = p_player AND deleted_at IS NULL;
        IF FOUND THEN
            INSERT INTO player_notes (player_id, key_id, text)
            VALUES (p_player, v_call.key_id, CASE WHEN p_banned THEN 'Banned: ' ELSE 'Ban lifted: ' END || p_reason);
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_cancel(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_table bigint, p_reason text, p_node text) RETURNS TABLE(code text, body text, to_tell boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'cancel_table', jsonb_build_object('table', p_table, 'reason', p_reason),
                                      p_idem_key, p_body_hash);
    v_table tables;
    v_epoch bigint;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables t WHERE t.id = p_table;
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table' WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.node = p_node THEN 'ok'
                       WHEN NOT pg_try_advisory_xact_lock(hashtextextended('rummyd node ' || v_table.node, 0)) THEN 'table_elsewhere' END;
        IF v_code IS NULL THEN
            UPDATE nodes SET epoch = epoch + 1 WHERE name = v_table.node RETURNING epoch INTO v_epoch;
            SELECT c.code INTO v_code FROM do_cancel_table(p_table, v_epoch, 'by_operator') c;
        END IF;
        v_call.answer := admin_end(v_call, v_code, NULL);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', admin_table_json(p_table)::text,
                        v_call.answer->>'code' = 'ok' AND v_table.node = p_node AND v_table.state IN ('waiting', 'playing');
END $$;

CREATE FUNCTION public.do_admin_close_report(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_report bigint, p_note text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash, 'close_report', jsonb_build_object('report', p_report, 'note', p_note),
                                       p_idem_key, p_body_hash);
    v_report reports;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO v_report FROM reports r WHERE r.id = p_report FOR NO KEY UPDATE;
        v_code := CASE WHEN v_report.id IS NULL THEN 'no_such_report' WHEN v_report.state = 'closed' THEN 'report_closed'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE reports r SET state = 'closed', closed_at = now(), closed_by = v_call.key_id, note = p_note
            WHERE r.id = p_report RETURNING r.* INTO v_report;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN report_json(v_report) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_collusion(p_key_hash bytea) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'read:collusion', '{}', NULL, NULL);
    v_since timestamptz := now() - make_interval(days => setting_int('collusion_days')::integer);
BEGIN
    IF v_call.answer IS NULL THEN
        v_call.answer := admin_end(v_call, 'ok', (
            WITH played AS (
                SELECT p.game_id, p.player_id, p.won, p.silver + p.gold - g.stake AS chips
                FROM games g JOIN game_players p ON p.game_id = g.id
                WHERE g.ended_at > v_since AND g.people_n > 1 AND NOT g.practice AND p.player_id IS NOT NULL
            ), alone AS (
                SELECT player_id, count(*) AS games_n FROM played GROUP BY player_id
            ), pairs AS (
                SELECT a.player_id AS low, b.player_id AS high, count(*) AS games_n,
                       count(*) FILTER (WHERE a.won) AS low_wins, count(*) FILTER (WHERE b.won) AS high_wins,
                       sum(a.chips) AS low_chips, sum(b.chips) AS high_chips
                FROM played a JOIN played b ON b.game_id = a.game_id AND b.player_id > a.player_id
                GROUP BY a.player_id, b.player_id HAVING count(*) >= setting_int('collusion_games_min')
            ), told AS (
                SELECT p.*, l.games_n AS low_games, h.games_n AS high_games, 100 * p.games_n / least(l.games_n, h.games_n) AS share
                FROM pairs p JOIN alone l ON l.player_id = p.low JOIN alone h ON h.player_id = p.high
                ORDER BY share DESC, p.games_n DESC, p.low, p.high LIMIT 50
            )
            SELECT jsonb_build_object('since', rfc3339(v_since), 'items', coalesce(jsonb_agg(jsonb_build_object(
                'games', games_n, 'share_percent', share,
                'apart', EXISTS (SELECT 1 FROM players_apart WHERE low_id = low AND high_id = high),
                'players', jsonb_build_array(
                    jsonb_build_object('id', low::text, 'games', low_games, 'wins', low_wins, 'chips', low_chips),
                    jsonb_build_object('id', high::text, 'games', high_games, 'wins', high_wins, 'chips', high_chips)))
                ORDER BY share DESC, games_n DESC, low, high), '[]'))
            FROM told));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_data(p_key_hash bytea, p_kind text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:' || p_kind, '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', CASE WHEN v_call.answer->>'code' = 'ok' THEN jsonb_build_object('items', CASE p_kind
        WHEN 'rooms' THEN (SELECT jsonb_agg(admin_room_json(r) ORDER BY r.position) FROM rooms r)
        WHEN 'packs' THEN (SELECT jsonb_agg(admin_pack_json(k) ORDER BY k.position) FROM shop_packs k)
        ELSE (SELECT jsonb_agg(admin_achievement_json(a) ORDER BY a.position) FROM achievements a) END)::text END;
END $$;

CREATE FUNCTION public.do_admin_flags(p_key_hash bytea, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:flags', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at), 'order_id', o.id::text, 'player_id', o.player_id::text,
                   'state', o.state, 'reason', f.reason, 'gold', f.gold, 'detail', f.detail)::text, f.id, 0::bigint, 0::bigint
        FROM shop_flags f JOIN shop_orders o ON o.id = f.order_id
        WHERE f.settled_at IS NULL AND (p_before IS NULL OR f.id < p_before) ORDER BY f.id DESC LIMIT p_limit;
    END IF;
END $$;

CREATE FUNCTION public.do_admin_mute(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_hours bigint, p_reason text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'mute', jsonb_build_object('player', p_player, 'hours', p_hours, 'reason', p_reason),
                                     p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE players SET chat_muted_until = CASE WHEN p_hours > 0 THEN now() + make_interval(hours => p_hours::integer) END
        WHERE id = p_player AND deleted_at IS NULL;
        IF FOUND THEN
            INSERT INTO player_notes (player_id, key_id, text)
            VALUES (p_player, v_call.key_id, 'Muted for ' || p_hours || ' hours: ' || p_reason);
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_note(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_text text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'note', jsonb_build_object('player', p_player, 'note', p_text), p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        INSERT INTO player_notes (player_id, key_id, text) SELECT id, v_call.key_id, p_text FROM players WHERE id = p_player;
        IF NOT FOUND THEN
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_order(p_key_hash bytea, p_order bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:order', jsonb_build_object('order', p_order), NULL, NULL);
    v_body jsonb := admin_order_json(p_order);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_order' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_pack(p_key_hash bytea, p_pack text, p_name text, p_gold bigint, p_amount bigint, p_currency text, p_on_sale boolean) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_pack', jsonb_strip_nulls(jsonb_build_object(
        'pack', p_pack, 'name', p_name, 'gold', p_gold, 'amount', p_amount, 'currency', p_currency, 'on_sale', p_on_sale)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_packs k SET name = coalesce(p_name, name), gold = coalesce(p_gold, gold), price_minor = coalesce(p_amount, price_minor),
               currency = coalesce(p_currency, currency), on_sale = coalesce(p_on_sale, on_sale)
        WHERE id = p_pack RETURNING admin_pack_json(k) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_pack' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_player(p_key_hash bytea, p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:player', jsonb_build_object('player', p_player), NULL, NULL);
    v_body jsonb := admin_player_json(p_player);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'player_unknown' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_players(p_key_hash bytea, p_q text, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:players', jsonb_build_object('q', p_q), NULL, NULL);
    v_q    text   := lower(p_q);
    v_id   bigint := CASE WHEN p_q ~ '^[0-9]{1,18}$' THEN p_q::bigint END;
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' <> 'ok' THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'level', p.level,
               'created_at', rfc3339(p.created_at), 'banned_at', rfc3339(p.banned_at), 'deleted_at', rfc3339(p.deleted_at))::text,
           p.id, 0::bigint, 0::bigint
    FROM players p
    WHERE p.id = ANY (ARRAY(
              SELECT x.id FROM (
                  (SELECT id FROM players WHERE v_q IS NULL AND (p_before IS NULL OR id < p_before) ORDER BY id DESC LIMIT p_limit)
                  UNION ALL (SELECT id FROM players WHERE id = v_id)
                  UNION ALL (SELECT player_id FROM credentials WHERE email = v_q)
                  UNION ALL (SELECT id FROM players WHERE lower(nickname) ~>=~ v_q AND lower(nickname) ~<~ (v_q || chr(1114111)))) x))
      AND (p_before IS NULL OR p.id < p_before)
    ORDER BY p.id DESC LIMIT p_limit;
END $_$;

CREATE FUNCTION public.do_admin_proof(p_key_hash bytea) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:ledger_proof', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code';
END $$;

CREATE FUNCTION public.do_admin_reports(p_key_hash bytea, p_after bigint, p_unused bigint, p_unused_too bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:reports', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', report_json(r)::text, r.id, 0::bigint, 0::bigint FROM reports r
        WHERE r.state = 'open' AND (p_after IS NULL OR r.id > p_after) ORDER BY r.id LIMIT p_limit;
    END IF;
END $$;

CREATE FUNCTION public.do_admin_room(p_key_hash bytea, p_room text, p_name text, p_stake bigint, p_reward bigint, p_multiplier_tenths bigint, p_title text, p_open boolean, p_bots boolean, p_fill_wait_ms bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_room', jsonb_strip_nulls(jsonb_build_object(
        'room', p_room, 'name', p_name, 'stake', p_stake, 'reward', p_reward, 'multiplier_tenths', p_multiplier_tenths, 'title', p_title,
        'open', p_open, 'bots', p_bots, 'fill_wait_ms', p_fill_wait_ms)), NULL, NULL);
    v_code text;
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN NOT EXISTS (SELECT 1 FROM rooms WHERE id = p_room) THEN 'no_such_room'
                       WHEN p_title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM titles WHERE name = p_title) THEN 'no_such_title'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE rooms r SET name = coalesce(p_name, name), stake = coalesce(p_stake, stake), reward = coalesce(p_reward, reward),
                   multiplier_tenths = coalesce(p_multiplier_tenths, multiplier_tenths), title = coalesce(p_title, title),
                   open = coalesce(p_open, open), bots = coalesce(p_bots, bots), fill_wait_ms = coalesce(p_fill_wait_ms, fill_wait_ms)
            WHERE id = p_room RETURNING admin_room_json(r) INTO v_body;
        END IF;
        v_call.answer := admin_end(v_call, v_code, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_settle_flag(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_flag bigint, p_note text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'settle_flag', jsonb_build_object('flag', p_flag, 'note', p_note), p_idem_key,
                                     p_body_hash);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_flags SET settled_at = coalesce(settled_at, now()) WHERE id = p_flag
        RETURNING jsonb_build_object('id', id::text, 'order_id', order_id::text, 'settled_at', rfc3339(settled_at)) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_flag' ELSE 'ok' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_admin_table(p_key_hash bytea, p_table bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:table', jsonb_build_object('table', p_table), NULL, NULL);
    v_body jsonb := admin_table_json(p_table);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_table' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

CREATE FUNCTION public.do_adopt_tables(p_name text, p_epoch bigint) RETURNS TABLE(table_id bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_node record;
    v_lock bigint;
BEGIN
    IF NOT node_holds(p_name, p_epoch) THEN
        RETURN;
    END IF;
    FOR v_node IN SELECT n.name, n.seen_at FROM nodes n
                  WHERE n.name <> p_name
                    AND EXISTS (SELECT 1 FROM tables t WHERE t.node = n.name AND t.state IN ('waiting', 'playing'))
                  ORDER BY n.name LOOP
        v_lock := hashtextextended('rummyd node ' || v_node.name, 0);
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(v_lock);
        UPDATE nodes SET epoch = epoch + 1 WHERE name = v_node.name;
        RETURN QUERY UPDATE tables SET node = p_name, stopped_at = v_node.seen_at
                     WHERE node = v_node.name AND state IN ('waiting', 'playing') RETURNING id;
    END LOOP;
END $$;

CREATE FUNCTION public.do_bar(p_player bigint, p_other bigint, p_muted boolean, p_blocked boolean) RETURNS TABLE(code text, muted boolean, blocked boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_muted   boolean;
    v_blocked boolean;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF p_player = p_other OR NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_other) THEN
        RETURN QUERY SELECT 'no_such_other', NULL::boolean, NULL::boolean;
        RETURN;
    END IF;
    SELECT b.muted, b.blocked INTO v_muted, v_blocked FROM player_bars b WHERE b.player_id = p_player AND b.other_id = p_other;
    IF NOT FOUND AND (SELECT count(*) FROM player_bars b WHERE b.player_id = p_player) >= setting_int('bars_per_player_max') THEN
        RETURN QUERY SELECT 'too_many_bars', NULL::boolean, NULL::boolean;
        RETURN;
    END IF;
    v_muted := coalesce(p_muted, v_muted, false);
    v_blocked := coalesce(p_blocked, v_blocked, false);
    IF v_muted OR v_blocked THEN
        INSERT INTO player_bars (player_id, other_id, muted, blocked) VALUES (p_player, p_other, v_muted, v_blocked)
        ON CONFLICT (player_id, other_id) DO UPDATE SET muted = v_muted, blocked = v_blocked;
    ELSE
        DELETE FROM player_bars b WHERE b.player_id = p_player AND b.other_id = p_other;
    END IF;
    RETURN QUERY SELECT 'ok', v_muted, v_blocked;
END $$;

CREATE FUNCTION public.do_befriend(p_player bigint, p_other bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_state text := 'asked';
BEGIN
    PERFORM lock_players(ARRAY[p_player, p_other]);
    code := CASE WHEN p_player = p_other THEN 'friend_self'
                 WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_other AND deleted_at IS NULL) THEN 'player_unknown' END;
    IF code IS NULL AND NOT EXISTS (SELECT 1 FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id)) THEN
        IF (SELECT count(*) FROM friends WHERE p_player IN (from_id, to_id)) >= setting_int('friends_max') THEN
            code := 'too_many_friends';
        ELSE
            INSERT INTO friends (from_id, to_id) VALUES (p_player, p_other);
            PERFORM notify_friend(p_player, p_other, 'asks');
        END IF;
    ELSIF code IS NULL THEN
        UPDATE friends SET accepted_at = now() WHERE from_id = p_other AND to_id = p_player AND accepted_at IS NULL;
        IF FOUND THEN
            PERFORM notify_friend(p_player, p_other, 'accepted');
        END IF;
        IF p_other IN (SELECT friends_of(p_player)) THEN
            v_state := 'friends';
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), jsonb_build_object('state', v_state)::text;
END $$;

CREATE FUNCTION public.do_cancel_table(p_table bigint, p_epoch bigint, p_reason text) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'cancelled' THEN 'already_done'
                   WHEN v_table.state = 'finished' THEN 'table_over'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table AND player_id IS NOT NULL ORDER BY seat LOOP
            PERFORM refund_stake(v_seat, p_reason);
            IF v_table.alone_day IS NOT NULL THEN
                UPDATE alone_games SET games = games - 1
                WHERE player_id = v_seat.player_id AND day = v_table.alone_day AND games > 0;
            END IF;
        END LOOP;
        DELETE FROM journal WHERE table_id = p_table;
        UPDATE seats SET live = false WHERE table_id = p_table;
        UPDATE tables SET state = 'cancelled', ended_at = now() WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

CREATE FUNCTION public.do_change_me(p_player bigint, p_nickname text, p_avatar text) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE players SET nickname = coalesce(p_nickname, nickname), avatar = coalesce(p_avatar, avatar)
    WHERE id = p_player AND deleted_at IS NULL;
    RETURN session_answer(CASE WHEN FOUND THEN 'ok' ELSE 'no_such_player' END, p_player);
END $$;

CREATE FUNCTION public.do_chat(p_player bigint, p_table bigint, p_seat integer, p_kind text, p_text text, p_command text) RETURNS TABLE(code text, id bigint, at timestamp with time zone, deaf integer)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_said table_chat;
    v_deaf integer;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player AND s.seat = p_seat)
       OR EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.chat_muted_until > now()) THEN
        RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM players p
                                              WHERE p.id = p_player AND p.chat_muted_until > now())
                                 THEN 'chat_muted' ELSE 'not_seated' END, NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    INSERT INTO table_chat (table_id, player_id, seat, kind, text, command)
    VALUES (p_table, p_player, p_seat, p_kind, p_text, p_command)
    ON CONFLICT (table_id, player_id, command) DO NOTHING RETURNING * INTO v_said;
    IF v_said.id IS NULL THEN
        RETURN QUERY SELECT 'repeated', NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    SELECT coalesce(sum(1 << s.seat), 0) INTO v_deaf FROM seats s
    JOIN player_bars b ON b.player_id = s.player_id AND b.other_id = p_player AND b.muted
    WHERE s.table_id = p_table;
    RETURN QUERY SELECT 'ok', v_said.id, v_said.at, v_deaf;
END $$;

CREATE FUNCTION public.do_counts_due(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_row record;
    v_n   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd counts due', 0));
    FOR v_row IN DELETE FROM invites_due d USING invites i
                 WHERE i.invited_id = d.invited_id
                   AND d.invited_id = ANY (ARRAY(SELECT invited_id FROM invites_due ORDER BY invited_id LIMIT p_max))
                 RETURNING i.invited_id, i.inviter_id, i.state LOOP
        v_n := v_n + 1;
        CONTINUE WHEN v_row.state <> 'open';
        IF (SELECT count(*) FROM invites WHERE inviter_id = v_row.inviter_id AND state = 'paid') >= setting_int('invites_paid_max') THEN
            UPDATE invites SET state = 'over' WHERE invited_id = v_row.invited_id;
        ELSE
            UPDATE invites SET state = 'paid', owed = true WHERE invited_id = v_row.invited_id;
            INSERT INTO counts_due (player_id, counter, n) VALUES (v_row.inviter_id, 'invites', 1);
        END IF;
    END LOOP;
    PERFORM lock_players(ARRAY(SELECT player_id FROM (SELECT player_id FROM counts_due ORDER BY id LIMIT p_max) d
                               UNION SELECT inviter_id FROM invites WHERE owed));
    FOR v_row IN SELECT invited_id, inviter_id FROM invites WHERE owed ORDER BY inviter_id, invited_id LOOP
        PERFORM do_credit(v_row.inviter_id, 'gold', setting_int('invite_gold'), 'invite', 'invite:' || v_row.invited_id, '');
        PERFORM notify_player(v_row.inviter_id, 'invite', jsonb_build_object('gold', setting_int('invite_gold'),
                              'nickname', (SELECT nickname FROM players WHERE id = v_row.invited_id)));
        UPDATE invites SET owed = false WHERE invited_id = v_row.invited_id;
    END LOOP;
    FOR v_row IN SELECT * FROM (SELECT * FROM counts_due ORDER BY id LIMIT p_max) d ORDER BY player_id, id LOOP
        PERFORM count_towards(v_row.player_id, v_row.counter, v_row.n, false);
        DELETE FROM counts_due WHERE id = v_row.id;
        v_n := v_n + 1;
    END LOOP;
    RETURN v_n;
END $$;

CREATE FUNCTION public.do_create_player(p_kind text, p_nickname text, p_avatar text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_player bigint;
    v_silver bigint := setting_int('welcome_silver');
    v_gold   bigint := setting_int('welcome_gold');
BEGIN
    INSERT INTO players (kind, nickname, avatar) VALUES (p_kind, p_nickname, p_avatar) RETURNING id INTO v_player;
    INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'silver', v_player), ('purse', 'gold', v_player);
    IF v_silver + v_gold > 0 THEN
        PERFORM ledger_post('welcome', 'welcome:' || v_player, NULL, '',
            credit_legs(v_player, 'silver', v_silver, 'welcome') || credit_legs(v_player, 'gold', v_gold, 'welcome'));
    END IF;
    RETURN v_player;
END $$;

CREATE FUNCTION public.do_credit(p_player bigint, p_currency text, p_amount bigint, p_cause text, p_key text, p_note text) RETURNS TABLE(code text, lost bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_legs ledger_leg[];
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF account_purse(p_player, p_currency) IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', 0::bigint;
        RETURN;
    END IF;
    IF p_amount = 0 OR EXISTS (SELECT 1 FROM transfers WHERE key = p_key) THEN
        RETURN QUERY SELECT CASE WHEN p_amount = 0 THEN 'ok' ELSE 'already_done' END, 0::bigint;
        RETURN;
    END IF;
    v_legs := credit_legs(p_player, p_currency, p_amount, p_cause);
    RETURN QUERY SELECT CASE WHEN ledger_post(p_cause, p_key, NULL, p_note, v_legs) IS NULL
                             THEN 'already_done' ELSE 'ok' END, (v_legs[4]).amount;
END $$;

CREATE FUNCTION public.do_daily_bonus(p_players bigint[], p_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_today date := local_day(p_at);
    v_due   bigint[] := ARRAY(SELECT player_id FROM player_days
                              WHERE player_id = ANY (p_players) AND bonus_day < v_today);
BEGIN
    IF cardinality(v_due) = 0 THEN
        RETURN 0;
    END IF;
    PERFORM lock_players(v_due);
    -- Who waited for the lock may find it done.
    v_due := ARRAY(SELECT player_id FROM player_days
                   WHERE player_id = ANY (v_due) AND bonus_day < v_today FOR NO KEY UPDATE);
    RETURN post_daily(v_due, v_today);
END $$;

CREATE FUNCTION public.do_deal_hand(p_table bigint, p_epoch bigint, p_hand integer, p_client_seeds bytea[]) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_hand  hands;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_hand.dealt_at IS NOT NULL THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' OR v_hand.table_id IS NULL THEN 'not_playing'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE hands SET client_seeds = pack_seeds(p_client_seeds), dealt_at = now()
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

CREATE FUNCTION public.do_end_hand(p_table bigint, p_epoch bigint, p_hand integer, p_ending text, p_results jsonb, p_record text, p_next_seed bytea, p_next_commit bytea) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_hand  hands;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_hand.ended_at IS NOT NULL THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' OR v_hand.dealt_at IS NULL THEN 'not_playing'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    IF v_code = 'ok' AND p_next_seed IS NOT NULL THEN
        INSERT INTO hands (table_id, hand_no, server_seed, commit)
        VALUES (p_table, p_hand + 1, p_next_seed, p_next_commit);
        UPDATE tables SET hand_no = p_hand + 1, server_seed = p_next_seed, commit = p_next_commit WHERE id = p_table;
        UPDATE seats SET client_seed = '' WHERE table_id = p_table AND client_seed <> '';
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

CREATE FUNCTION public.do_enter_guest(p_device_hash bytea, p_nickname text, p_avatar text, p_token_hash bytea, p_family uuid) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT g.code, g.player_id INTO STRICT v_code, v_player FROM do_guest(p_device_hash, p_nickname, p_avatar) g;
    IF v_code = 'ok' THEN
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_enter_login(p_email text, p_player bigint, p_token_hash bytea, p_family uuid) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM do_login_ok(p_email);
    PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    RETURN session_answer('ok', p_player);
END $$;

CREATE FUNCTION public.do_enter_refresh(p_token_hash bytea, p_new_hash bytea) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player FROM do_refresh_rotate(p_token_hash, p_new_hash) r;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_enter_registered(p_email text, p_password_hash text, p_nickname text, p_avatar text, p_token_hash bytea, p_family uuid, p_invite text) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code    text;
    v_player  bigint;
    v_inviter bigint := inviter_of(p_invite);
BEGIN
    IF p_invite IS NOT NULL THEN
        PERFORM lock_players(ARRAY[v_inviter]);
        v_code := invite_refusal(NULL, v_inviter);
    END IF;
    IF v_code IS NULL THEN
        SELECT r.code, r.player_id INTO STRICT v_code, v_player
        FROM do_register(p_email, p_password_hash, p_nickname, p_avatar) r;
    END IF;
    IF v_code = 'ok' THEN
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(v_player, v_inviter);
        END IF;
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_enter_upgraded(p_player bigint, p_email text, p_password_hash text, p_nickname text, p_token_hash bytea, p_family uuid, p_invite text) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_player  players;
    v_inviter bigint := inviter_of(p_invite);
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player' WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                   WHEN v_player.kind <> 'guest' THEN 'already_registered'
                   WHEN p_invite IS NOT NULL THEN invite_refusal(p_player, v_inviter) END;
    IF v_code IS NULL THEN
        INSERT INTO credentials (player_id, email, password_hash) VALUES (p_player, lower(p_email), p_password_hash)
        ON CONFLICT (email) DO NOTHING;
        v_code := CASE WHEN FOUND THEN 'ok' ELSE 'email_taken' END;
    END IF;
    IF v_code = 'ok' THEN
        UPDATE players SET kind = 'registered', nickname = coalesce(p_nickname, nickname) WHERE id = p_player;
        DELETE FROM guest_devices WHERE player_id = p_player;
        UPDATE refresh_tokens SET revoked_at = now() WHERE player_id = p_player AND revoked_at IS NULL;
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, p_player);
END $$;

CREATE FUNCTION public.do_fold_boards(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_max    bigint := setting_int('board_moves_max');
    v_boards integer[] := ARRAY(SELECT board_id FROM board_moves GROUP BY board_id HAVING count(*) > v_max ORDER BY board_id LIMIT p_max);
    v_board  integer;
BEGIN
    FOREACH v_board IN ARRAY v_boards LOOP
        PERFORM board_fold(v_board);
    END LOOP;
    RETURN cardinality(v_boards);
END $$;

CREATE FUNCTION public.do_guest(p_device_hash bytea, p_nickname text, p_avatar text) RETURNS TABLE(code text, player_id bigint, role text, created boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
    v_new    boolean := false;
BEGIN
    -- Two first calls of one device at once: the second waits here and finds the first's player.
    PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_device_hash, 'hex'), 0));
    SELECT g.player_id INTO v_player FROM guest_devices g JOIN players p ON p.id = g.player_id
    WHERE g.device_hash = p_device_hash AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        DELETE FROM guest_devices WHERE device_hash = p_device_hash;
        v_player := do_create_player('guest', p_nickname, p_avatar);
        INSERT INTO guest_devices (device_hash, player_id) VALUES (p_device_hash, v_player);
        v_new := true;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role, v_new
                 FROM players p WHERE p.id = v_player;
END $$;

CREATE FUNCTION public.do_invite_code(p_player bigint) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code text;
BEGIN
    LOOP
        SELECT code INTO v_code FROM invite_codes WHERE player_id = p_player;
        EXIT WHEN FOUND;
        INSERT INTO invite_codes (player_id, code)
        VALUES (p_player, upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)))
        ON CONFLICT DO NOTHING;
    END LOOP;
    RETURN v_code;
END $$;

CREATE FUNCTION public.do_invites(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('code', do_invite_code(p_player), 'gold', setting_int('invite_gold'),
        'level', setting_int('invite_level'), 'paid_max', setting_int('invites_paid_max'),
        'paid', (SELECT count(*) FROM invites WHERE inviter_id = p_player AND state = 'paid'),
        'items', coalesce((SELECT jsonb_agg(jsonb_build_object('nickname', p.nickname, 'level', p.level, 'at', rfc3339(i.at),
                                            'state', i.state) ORDER BY i.at DESC)
                           FROM (SELECT * FROM invites WHERE inviter_id = p_player ORDER BY at DESC LIMIT 100) i
                           JOIN players p ON p.id = i.invited_id), '[]'))::text;
END $$;

CREATE FUNCTION public.do_job(p_key_hash bytea, p_job text, p_idem_key text, p_body_hash bytea, p_step integer) RETURNS TABLE(code text, again boolean, body text)
    LANGUAGE plpgsql
    AS $$
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
    IF v_code = 'ok' AND job_clock_is_back(p_job, now())
       AND NOT EXISTS (SELECT 1 FROM job_runs WHERE key_id = v_key AND idem_key = p_idem_key) THEN
        v_code := 'clock_set_back';
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

CREATE FUNCTION public.do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean, join_code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
BEGIN
    IF p_code IS NULL THEN
        SELECT * INTO v_table FROM tables t WHERE t.id = p_table AND t.visibility = 'public' FOR NO KEY UPDATE;
    ELSE
        SELECT * INTO v_table FROM tables t WHERE t.code = p_code AND t.state IN ('waiting', 'playing')
        FOR NO KEY UPDATE;
    END IF;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'join_table', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state IN ('finished', 'cancelled') THEN 'table_over'
                       WHEN v_seat IS NOT NULL THEN NULL
                       WHEN v_table.state <> 'waiting' OR v_table.people_n >= v_table.seats_n THEN 'table_full'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN is_barred(p_player, v_table.id) THEN 'blocked'
                       ELSE stake_refusal(p_player, v_table.variant, v_table.visibility, v_table.bots_n,
                                          CASE WHEN v_table.point_value > 0 THEN 0 ELSE v_table.stake END, v_table.point_value,
                                          false) END;
        IF v_code IS NULL THEN
            IF v_seat IS NULL AND v_table.people_n + v_table.bots_n >= v_table.seats_n THEN
                UPDATE tables t SET bots_n = bots_n - 1 WHERE t.id = v_table.id;
            END IF;
            v_seat := coalesce(v_seat, seat_player(p_player, v_table));
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'join_table', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code';
END $$;

CREATE FUNCTION public.do_journal_append(p_node text, p_epoch bigint, p_tables bigint[], p_hands integer[], p_vs integer[], p_seats smallint[], p_moves bytea[], p_hashes bigint[], p_commands text[], p_reserves integer[] DEFAULT '{}'::integer[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_n bigint;
BEGIN
    IF NOT node_holds(p_node, p_epoch) THEN
        RETURN NULL;
    END IF;
    BEGIN
        INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command, reserve_ms)
        SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command, coalesce(reserve_ms, 0)
        FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands, p_reserves)
             AS r (table_id, hand_no, v, seat, move, hash, command, reserve_ms);
        GET DIAGNOSTICS v_n = ROW_COUNT;
        RETURN v_n;
    EXCEPTION WHEN unique_violation THEN
        NULL;
    END;
    INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command, reserve_ms)
    SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command, coalesce(reserve_ms, 0)
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands, p_reserves)
         AS r (table_id, hand_no, v, seat, move, hash, command, reserve_ms)
    ON CONFLICT (table_id, v) DO NOTHING;
    SELECT count(*) INTO v_n
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands)
         AS r (table_id, hand_no, v, seat, move, hash, command)
    JOIN journal j USING (table_id, hand_no, v, seat, move, hash, command);
    RETURN v_n;
END $$;

CREATE FUNCTION public.do_leave_seat(p_player bigint, p_table bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_table';
        RETURN;
    END IF;
    SELECT * INTO v_seat FROM seats WHERE table_id = p_table AND player_id = p_player;
    IF NOT FOUND OR v_table.state <> 'waiting' THEN
        RETURN QUERY SELECT CASE WHEN v_seat.table_id IS NULL THEN 'no_such_seat'
                                 WHEN v_table.state = 'playing' THEN 'game_running' ELSE 'table_over' END;
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    PERFORM refund_stake(v_seat, 'left while waiting');
    DELETE FROM tickets WHERE table_id = p_table AND player_id = p_player;
    DELETE FROM seats WHERE table_id = p_table AND player_id = p_player;
    UPDATE tables SET people_n = people_n - 1,
                      bots_n = least(bots_kept, seats_n - people_n + 1),
                      state = CASE WHEN people_n = 1 THEN 'cancelled' ELSE state END,
                      ended_at = CASE WHEN people_n = 1 THEN now() END
    WHERE id = p_table;
    RETURN QUERY SELECT 'ok';
END $$;

CREATE FUNCTION public.do_lobby_ticket(p_player bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, ticket uuid, expires_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_answer jsonb;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR v_player.banned_at IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN FOUND THEN 'banned' ELSE 'no_such_player' END, NULL::uuid, NULL::timestamptz;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'lobby_ticket', p_body_hash);
    IF v_answer IS NULL THEN
        INSERT INTO tickets (id, player_id, expires_at)
        VALUES (p_ticket, p_player, now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0));
        SELECT jsonb_build_object('code', 'ok', 'ticket', k.id, 'expires_at', k.expires_at)
        INTO STRICT v_answer FROM tickets k WHERE k.id = p_ticket;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'lobby_ticket', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz;
END $$;

CREATE FUNCTION public.do_lock_tables(p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM tables WHERE id = ANY (p_tables) ORDER BY id FOR NO KEY UPDATE;
    PERFORM lock_players(ARRAY(SELECT DISTINCT player_id FROM seats
                               WHERE table_id = ANY (p_tables) AND player_id IS NOT NULL));
END $$;

CREATE FUNCTION public.do_login_failed(p_email text, p_address text) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO login_failures (subject) VALUES ('account:' || lower(p_email)), ('address:' || p_address)
$$;

CREATE FUNCTION public.do_login_ok(p_email text) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM login_failures WHERE subject = 'account:' || lower(p_email)
$$;

CREATE FUNCTION public.do_make_key(p_name text, p_role text, p_key_hash bytea) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_new_ticket(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_answer := idempotent_answer(p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
        SELECT p_ticket, s.table_id, s.player_id, s.seat,
               now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0)
        FROM seats s JOIN tables t ON t.id = s.table_id
        WHERE s.table_id = p_table AND s.player_id = p_player AND t.state IN ('waiting', 'playing');
        IF FOUND THEN
            SELECT jsonb_build_object('code', 'ok', 'table_id', t.id, 'seat', k.seat, 'ticket', k.id, 'expires_at',
                                      k.expires_at, 'commit', encode(t.commit, 'hex'), 'node', t.node)
            INTO STRICT v_answer FROM tickets k JOIN tables t ON t.id = k.table_id WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', CASE
                WHEN NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player) THEN 'no_such_player'
                WHEN EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player)
                THEN 'table_over' ELSE 'no_such_seat' END);
        END IF;
        IF v_answer->>'code' <> 'no_such_player' THEN
            INSERT INTO idempotency (player_id, key, action, body_hash, answer)
            VALUES (p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash, v_answer);
        END IF;
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new;
END $$;

CREATE FUNCTION public.do_node_alive(p_name text, p_epoch bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE nodes SET alive_at = now(), seen_at = now() WHERE name = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END;
END $$;

CREATE FUNCTION public.do_node_resume(p_name text, p_epoch bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running';
        RETURN;
    END IF;
    UPDATE nodes SET alive_at = now() WHERE name = p_name AND epoch = p_epoch;
    IF NOT FOUND THEN
        PERFORM pg_advisory_unlock(hashtextextended('rummyd node ' || p_name, 0));
        RETURN QUERY SELECT 'stale_epoch';
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok';
END $$;

CREATE FUNCTION public.do_node_start(p_name text) RETURNS TABLE(code text, epoch bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running', NULL::bigint;
        RETURN;
    END IF;
    UPDATE tables SET stopped_at = NULL
    WHERE node = p_name AND state IN ('waiting', 'playing') AND stopped_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM nodes n WHERE n.name = p_name AND n.seen_at > tables.stopped_at);
    RETURN QUERY INSERT INTO nodes AS n (name, epoch) VALUES (p_name, 1)
                 ON CONFLICT (name) DO UPDATE SET epoch = n.epoch + 1, alive_at = now(), stopped_at = n.seen_at
                 RETURNING 'ok', n.epoch;
END $$;

CREATE FUNCTION public.do_open_table(p_player bigint, p_variant text, p_params text, p_options jsonb, p_seats integer, p_visibility text, p_bots integer, p_bot_level integer, p_idem_key text, p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text, p_codes text[], p_stake bigint, p_point_value integer, p_watch_delay_ms integer) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean, join_code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_table  tables;
    v_code   text;
    v_join   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'open_table', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        IF p_visibility = 'private' THEN
            SELECT c INTO v_join FROM unnest(p_codes) WITH ORDINALITY AS u (c, n)
            WHERE NOT EXISTS (SELECT 1 FROM tables t WHERE t.code = c AND t.state IN ('waiting', 'playing'))
            ORDER BY n LIMIT 1;
        END IF;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN p_visibility = 'private' AND v_join IS NULL THEN 'busy'
                       ELSE stake_refusal(p_player, p_variant, p_visibility, p_bots, p_stake, p_point_value, true) END;
        IF v_code IS NULL THEN
            INSERT INTO tables (variant, params, options, seats_n, stake, point_value, reward, multiplier_tenths, practice, node,
                                server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept, bot_level, code,
                                watch_delay_ms)
            VALUES (p_variant, p_params, p_options, p_seats,
                    CASE WHEN p_point_value > 0 THEN p_point_value * setting_int('point_value_hold') ELSE p_stake END,
                    p_point_value, 0, 0, p_visibility = 'private', p_node, p_server_seed,
                    p_commit, now() + make_interval(secs => setting_int('custom_wait_ms') / 1000.0), p_visibility,
                    p_player, p_bots, p_bots, p_bot_level, v_join, p_watch_delay_ms)
            RETURNING * INTO v_table;
            v_answer := seat_answer(p_player, v_table, seat_player(p_player, v_table), p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'open_table', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code';
END $$;

CREATE FUNCTION public.do_purge(p_max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_total bigint := 0;
    v_n     bigint;
BEGIN
    DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency
        WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM login_failures
        WHERE at < now() - make_interval(secs => setting_int('login_window_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refresh_tokens WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM tickets WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM tickets WHERE expires_at < now() - make_interval(secs => setting_int('idempotency_ttl_s'))
        LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_total + v_n;
END $$;

CREATE FUNCTION public.do_purge_days(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_n bigint;
BEGIN
    DELETE FROM alone_games WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM alone_games WHERE day < local_day(now()) - 2 LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_n;
END $$;

CREATE FUNCTION public.do_read_notifications(p_player bigint, p_up_to bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE notifications SET read_at = now() WHERE player_id = p_player AND id <= p_up_to AND read_at IS NULL;
    RETURN QUERY SELECT 'ok', jsonb_build_object('unread', count(*))::text FROM notifications
                 WHERE player_id = p_player AND read_at IS NULL;
END $$;

CREATE FUNCTION public.do_redeem_ticket(p_ticket uuid, p_table bigint) RETURNS TABLE(code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_ticket tickets;
    v_code   text;
    v_delay  integer;
BEGIN
    SELECT * INTO v_ticket FROM tickets WHERE id = p_ticket AND table_id IS NOT DISTINCT FROM p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_ticket.id IS NULL THEN 'no_such_ticket'
                   WHEN v_ticket.used_at IS NOT NULL THEN 'ticket_used'
                   WHEN v_ticket.expires_at <= now() THEN 'ticket_expired'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        -- Not waited for on disk: after a crash within the last moments the ticket of the same seat may serve
        -- once more until it expires, and a thousand players who come back at once do not queue for commits.
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE tickets SET used_at = now() WHERE id = p_ticket;
        IF v_ticket.seat IS NULL THEN
            SELECT watch_delay_ms INTO v_delay FROM tables WHERE id = p_table;
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, v_ticket.player_id, v_ticket.seat, coalesce(v_delay, 0);
END $$;

CREATE FUNCTION public.do_redeem_tickets(p_tickets uuid[], p_tables bigint[]) RETURNS TABLE(code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql
    AS $$
BEGIN
    FOR i IN 1 .. cardinality(p_tickets) LOOP
        RETURN QUERY SELECT * FROM do_redeem_ticket(p_tickets[i], NULLIF(p_tables[i], 0));
    END LOOP;
END $$;

CREATE FUNCTION public.do_refresh_issue(p_player bigint, p_token_hash bytea, p_family uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO refresh_tokens (token_hash, family, player_id, expires_at)
    VALUES (p_token_hash, p_family, p_player, now() + make_interval(secs => setting_int('refresh_ttl_s')));
END $$;

CREATE FUNCTION public.do_refresh_revoke(p_token_hash bytea) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE refresh_tokens SET revoked_at = now()
    WHERE family = (SELECT family FROM refresh_tokens WHERE token_hash = p_token_hash) AND revoked_at IS NULL;
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM refresh_tokens WHERE token_hash = p_token_hash)
                             THEN 'ok' ELSE 'token_unknown' END;
END $$;

CREATE FUNCTION public.do_refresh_rotate(p_token_hash bytea, p_new_hash bytea) RETURNS TABLE(code text, player_id bigint, role text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_token  refresh_tokens;
    v_player players;
    v_code   text := 'ok';
BEGIN
    SELECT * INTO v_token FROM refresh_tokens WHERE token_hash = p_token_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'token_unknown', NULL::bigint, NULL::text;
        RETURN;
    END IF;
    SELECT * INTO STRICT v_player FROM players WHERE id = v_token.player_id;
    IF v_token.revoked_at IS NOT NULL THEN
        v_code := 'token_revoked';
    ELSIF v_token.used_at IS NOT NULL THEN
        UPDATE refresh_tokens SET revoked_at = now() WHERE family = v_token.family AND revoked_at IS NULL;
        v_code := 'token_reused';
    ELSIF v_token.expires_at <= now() THEN
        v_code := 'token_expired';
    ELSIF v_player.banned_at IS NOT NULL OR v_player.deleted_at IS NOT NULL THEN
        v_code := 'banned';
    ELSE
        UPDATE refresh_tokens SET used_at = now() WHERE token_hash = p_token_hash;
        PERFORM do_refresh_issue(v_token.player_id, p_new_hash, v_token.family);
    END IF;
    RETURN QUERY SELECT v_code, v_token.player_id, v_player.role;
END $$;

CREATE FUNCTION public.do_register(p_email text, p_password_hash text, p_nickname text, p_avatar text) RETURNS TABLE(code text, player_id bigint, role text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
BEGIN
    BEGIN
        v_player := do_create_player('registered', p_nickname, p_avatar);
        INSERT INTO credentials (player_id, email, password_hash) VALUES (v_player, lower(p_email), p_password_hash);
    EXCEPTION WHEN unique_violation THEN
        RETURN QUERY SELECT 'email_taken', NULL::bigint, NULL::text;
        RETURN;
    END;
    RETURN QUERY SELECT 'ok', p.id, p.role FROM players p WHERE p.id = v_player;
END $$;

CREATE FUNCTION public.do_rematch(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean, join_code text, old_seat smallint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_old    tables;
    v_table  tables;
    v_room   rooms;
    v_seat   smallint;
    v_code   text;
BEGIN
    SELECT * INTO v_old FROM tables t WHERE t.id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_table FROM tables t WHERE t.rematch_of = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT s.seat INTO old_seat FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player;
    v_answer := idempotent_answer(p_player, p_idem_key, 'rematch', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms r WHERE r.id = v_old.room_id;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_old.id IS NULL THEN 'no_such_table'
                       WHEN old_seat IS NULL THEN 'no_such_seat'
                       WHEN v_old.state IN ('waiting', 'playing') THEN 'game_running'
                       WHEN v_seat IS NOT NULL AND v_table.state IN ('waiting', 'playing') THEN NULL
                       WHEN v_old.state <> 'finished'
                         OR v_old.ended_at < now() - make_interval(secs => setting_int('rematch_offer_ms') / 1000.0)
                         OR v_table.state <> 'waiting' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                       THEN 'rematch_over'
                       WHEN v_room.id IS NOT NULL AND NOT v_room.open THEN 'room_closed'
                       WHEN v_room.id IS NOT NULL AND seat_refusal(p_player, v_room) IS NOT NULL
                       THEN seat_refusal(p_player, v_room)
                       WHEN v_room.id IS NULL AND (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN v_table.id IS NULL AND v_old.code IS NOT NULL AND EXISTS (
                            SELECT 1 FROM tables t WHERE t.code = v_old.code AND t.state IN ('waiting', 'playing'))
                       THEN 'busy'
                       WHEN is_barred(p_player, v_table.id) THEN 'blocked'
                       WHEN v_room.id IS NULL
                       THEN stake_refusal(p_player, v_old.variant, v_old.visibility, v_old.bots_n,
                                          CASE WHEN v_old.point_value > 0 THEN 0 ELSE v_old.stake END, v_old.point_value, false) END;
        IF v_code IS NULL THEN
            IF v_table.id IS NULL THEN
                v_table := open_rematch(v_old, v_room, p_node, p_server_seed, p_commit);
            END IF;
            IF v_seat IS NULL THEN
                v_seat := seat_player(p_player, v_table);
                UPDATE tables t SET fill_at = now()
                WHERE t.id = v_table.id AND t.people_n >= v_old.people_n AND t.fill_at > now();
            END IF;
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'rematch', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code',
                        old_seat;
END $$;

CREATE FUNCTION public.do_report(p_player bigint, p_table bigint, p_seat integer, p_reason text, p_text text) RETURNS TABLE(code text, id bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_other bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player) THEN
        RETURN QUERY SELECT 'no_such_table', NULL::bigint;
        RETURN;
    END IF;
    SELECT s.player_id INTO v_other FROM seats s
    WHERE s.table_id = p_table AND s.seat = p_seat AND s.player_id IS NOT NULL AND s.player_id <> p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_seat_there', NULL::bigint;
        RETURN;
    END IF;
    INSERT INTO reports (reporter_id, reported_id, table_id, reason, text)
    VALUES (p_player, v_other, p_table, p_reason, p_text) ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT 'ok', r.id FROM reports r
                 WHERE r.reporter_id = p_player AND r.reported_id = v_other AND r.table_id = p_table;
END $$;

CREATE FUNCTION public.do_revoke_key(p_name text) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    UPDATE api_keys SET revoked_at = now() WHERE name = p_name AND revoked_at IS NULL;
    v_code := CASE WHEN FOUND THEN 'ok' ELSE 'no_such_key' END;
    INSERT INTO audit (action, detail, code) VALUES ('revoke_key', jsonb_build_object('name', p_name), v_code);
    RETURN QUERY SELECT v_code;
END $$;

CREATE FUNCTION public.do_set_limits(p_player bigint, p_minutes bigint, p_purchases bigint, p_exclude_days bigint) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    IF p_minutes IS NOT NULL THEN
        PERFORM set_limit(p_player, 'time', p_minutes);
    END IF;
    IF p_purchases IS NOT NULL THEN
        PERFORM set_limit(p_player, 'purchases', p_purchases);
    END IF;
    -- An exclusion that is over is none.
    IF p_exclude_days > 0 OR (p_exclude_days = 0 AND limit_of(p_player, 'exclusion') > extract(epoch FROM now())) THEN
        PERFORM set_limit(p_player, 'exclusion', CASE WHEN p_exclude_days = 0 THEN 0
                          ELSE extract(epoch FROM now())::bigint + p_exclude_days * 86400 END);
    END IF;
    RETURN QUERY SELECT 'ok', limits_json(p_player)::text;
END $$;

CREATE FUNCTION public.do_set_seed(p_table bigint, p_seat integer, p_seed bytea, p_epoch bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE seats s SET client_seed = p_seed
    FROM tables t, nodes n
    WHERE t.id = s.table_id AND n.name = t.node AND n.epoch = p_epoch AND s.table_id = p_table AND s.seat = p_seat
      AND (t.state = 'waiting'
           OR t.state = 'playing' AND EXISTS (SELECT 1 FROM hands h WHERE h.table_id = t.id AND h.hand_no = t.hand_no
                                              AND h.dealt_at IS NULL));
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'seed_too_late' END;
END $$;

CREATE FUNCTION public.do_settle_table(p_table bigint, p_epoch bigint, p_ending text, p_results jsonb, p_record text) RETURNS TABLE(code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer, game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint, level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_table  tables;
    v_game   games;
    v_result game_players;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'finished' THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' THEN 'not_playing' END;
    IF v_code IS NOT NULL AND v_code <> 'already_done' THEN
        code := v_code;
        RETURN NEXT;
        RETURN;
    END IF;
    IF v_code IS NULL THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        v_game := store_game(v_table, p_ending, p_results, p_record);
        -- Levels first: the reward then meets the cap of the level this very game has reached.
        FOR v_result IN SELECT * FROM game_players g WHERE g.game_id = v_game.id AND g.player_id IS NOT NULL
                        ORDER BY g.player_id LOOP
            PERFORM settle_points(v_game, v_result);
        END LOOP;
        IF NOT v_table.practice THEN
            PERFORM settle_chips(v_table, v_game.id);
        END IF;
        DELETE FROM journal j WHERE j.table_id = p_table;
        UPDATE seats s SET live = false WHERE s.table_id = p_table;
        UPDATE tables SET state = 'finished', ended_at = v_game.ended_at WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT * FROM q_settled(p_table, coalesce(v_code, 'ok'));
END $$;

CREATE FUNCTION public.do_shop_claim(p_order bigint) RETURNS TABLE(id bigint, token uuid, ref text)
    LANGUAGE sql
    AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = p_order AND o.state = 'pending'
      AND coalesce(o.asked_at, o.created_at) <= now() - make_interval(secs => setting_int('shop_look_s'))
    RETURNING o.id, o.token, o.provider_ref
$$;

CREATE FUNCTION public.do_shop_claim_due(p_provider text, p_max integer) RETURNS TABLE(id bigint, token uuid, ref text)
    LANGUAGE sql
    AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = ANY (ARRAY(
        SELECT w.id FROM shop_orders w
        WHERE w.state = 'pending' AND w.provider = p_provider
          AND coalesce(w.asked_at, w.created_at) + make_interval(secs => least(
              setting_int('shop_ask_max_s'), setting_int('shop_ask_first_s') * power(2, least(w.asks, 30)))) <= now()
        ORDER BY coalesce(w.asked_at, w.created_at) LIMIT p_max FOR UPDATE SKIP LOCKED))
    RETURNING o.id, o.token, o.provider_ref
$$;

CREATE FUNCTION public.do_shop_claim_refunds(p_provider text, p_max integer) RETURNS TABLE(id bigint, token uuid, payment text)
    LANGUAGE sql
    AS $$
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    FROM shop_orders o
    WHERE o.id = r.order_id AND r.id = ANY (ARRAY(
        SELECT w.id FROM shop_refunds w JOIN shop_orders s ON s.id = w.order_id
        WHERE w.state = 'asked' AND s.provider = p_provider
          AND w.asked_at + make_interval(secs => least(
              setting_int('shop_ask_max_s'), setting_int('shop_ask_first_s') * power(2, least(greatest(w.asks - 1, 0), 30)))) <= now()
        ORDER BY w.asked_at LIMIT p_max FOR UPDATE OF w SKIP LOCKED))
    RETURNING r.id, r.token, o.payment_ref
$$;

CREATE FUNCTION public.do_shop_event(p_provider text, p_event text, p_kind text, p_token uuid, p_ref text, p_payment text, p_subject text, p_amount bigint, p_currency text, p_said_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(code text, order_id bigint, state text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_event shop_events;
    v_order bigint;
    e       shop_events;
BEGIN
    -- Who learns whose payment this is, and who hears of it before, wait for each other.
    IF p_payment IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('shop ' || p_provider || ' ' || p_payment, 0));
    END IF;
    SELECT o.id INTO v_order FROM shop_orders o
    WHERE o.provider = p_provider AND (o.token = p_token OR o.provider_ref = p_ref OR o.payment_ref = p_payment)
    ORDER BY o.token = p_token DESC NULLS LAST LIMIT 1 FOR UPDATE;
    IF v_order IS NULL AND (p_payment IS NULL
                            OR p_kind NOT IN ('refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost')) THEN
        RETURN QUERY SELECT 'ignored', NULL::bigint, NULL;
        RETURN;
    END IF;
    INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor, currency, said_at)
    VALUES (p_provider, p_event, p_kind, v_order, p_payment, p_subject, p_amount, p_currency, p_said_at)
    ON CONFLICT DO NOTHING RETURNING * INTO v_event;
    IF v_event.event_id IS NULL OR v_order IS NULL THEN
        RETURN QUERY SELECT CASE WHEN v_event.event_id IS NULL THEN 'repeated' ELSE 'kept' END, v_order,
                            (SELECT o.state FROM shop_orders o WHERE o.id = v_order);
        RETURN;
    END IF;
    PERFORM shop_apply(v_order, v_event);
    FOR e IN SELECT * FROM shop_events x WHERE x.provider = p_provider AND x.payment_ref = p_payment AND x.order_id IS NULL
             ORDER BY x.at, x.event_id LOOP
        UPDATE shop_events x SET order_id = v_order WHERE x.provider = e.provider AND x.event_id = e.event_id;
        PERFORM shop_apply(v_order, e);
    END LOOP;
    RETURN QUERY SELECT 'ok', o.id, o.state FROM shop_orders o WHERE o.id = v_order;
END $$;

CREATE FUNCTION public.do_shop_opened(p_order bigint, p_ref text, p_url text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'pending', provider_ref = p_ref, pay_url = p_url WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'ok', shop_order_json(o)::text FROM shop_orders o WHERE o.id = p_order;
END $$;

CREATE FUNCTION public.do_shop_order(p_player bigint, p_key text, p_body_hash bytea, p_pack text, p_provider text) RETURNS TABLE(code text, to_open boolean, id bigint, token uuid, name text, gold bigint, price_minor bigint, currency text, expires_s bigint, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_order shop_orders;
    v_code  text := 'ok';
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_order FROM shop_orders o WHERE o.player_id = p_player AND o.idem_key = p_key;
    IF FOUND THEN
        v_code := CASE WHEN v_order.body_hash = p_body_hash THEN 'ok' ELSE 'idempotency_key_reused' END;
    ELSIF NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL) THEN
        v_code := 'no_such_player';
    ELSIF EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.banned_at IS NOT NULL) THEN
        v_code := 'banned';
    ELSIF idempotent_answer(p_player, p_key, 'shop_order', p_body_hash) IS NOT NULL THEN
        v_code := 'idempotency_key_reused';
    ELSIF NOT EXISTS (SELECT 1 FROM shop_packs k WHERE k.id = p_pack AND k.on_sale) THEN
        v_code := 'no_such_pack';
    ELSIF (SELECT count(*) FROM shop_orders o WHERE o.player_id = p_player AND o.state IN ('created', 'pending')
           AND o.expires_at > now()) >= setting_int('shop_open_orders_max') THEN
        v_code := 'too_many_orders';
    ELSE
        INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency, provider, expires_at)
        SELECT p_player, p_key, p_body_hash, k.id, k.gold, k.price_minor, k.currency, p_provider,
               date_trunc('second', now()) + make_interval(secs => setting_int('shop_order_ttl_s'))
        FROM shop_packs k WHERE k.id = p_pack
        RETURNING * INTO v_order;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_key, 'shop_order', p_body_hash, jsonb_build_object('code', 'ok', 'order', v_order.id));
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, false, NULL::bigint, NULL::uuid, NULL, NULL::bigint, NULL::bigint, NULL, NULL::bigint, NULL;
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok', v_order.state = 'created' AND v_order.expires_at > now(), v_order.id, v_order.token, k.name,
                        v_order.gold, v_order.price_minor, v_order.currency, extract(epoch FROM v_order.expires_at)::bigint,
                        shop_order_json(v_order)::text
                 FROM shop_packs k WHERE k.id = v_order.pack_id;
END $$;

CREATE FUNCTION public.do_shop_refund(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_order bigint, p_reason text, p_providers text) RETURNS TABLE(code text, to_ask boolean, id bigint, token uuid, payment text, provider text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash, 'refund', jsonb_build_object('order', p_order, 'reason', p_reason),
                                       p_idem_key, p_body_hash);
    o        shop_orders;
    v_refund bigint;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO o FROM shop_orders s WHERE s.id = p_order FOR UPDATE;
        v_code := CASE WHEN o.id IS NULL THEN 'no_such_order'
                       WHEN o.state NOT IN ('paid', 'refunding') OR o.payment_ref IS NULL THEN 'not_refundable'
                       WHEN NOT o.provider = ANY (string_to_array(p_providers, ',')) THEN 'shop_off' ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO shop_refunds (order_id, key_id, reason) VALUES (o.id, v_call.key_id, p_reason)
            ON CONFLICT (order_id) WHERE state = 'asked' DO NOTHING;
            SELECT r.id INTO STRICT v_refund FROM shop_refunds r WHERE r.order_id = o.id AND r.state = 'asked';
            PERFORM shop_settle(o.id, 'refund:' || v_refund);
        END IF;
        v_call.answer := admin_end(v_call, v_code, jsonb_build_object('refund', v_refund));
    END IF;
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    WHERE r.id = (v_call.answer->'body'->>'refund')::bigint AND r.state = 'asked';
    RETURN QUERY
    SELECT CASE WHEN r.state = 'refused' THEN 'payment_refused' ELSE v_call.answer->>'code' END, coalesce(r.state = 'asked', false), r.id, r.token, s.payment_ref, s.provider,
           admin_order_json(s.id)::text
    FROM (SELECT 1) one LEFT JOIN shop_refunds r ON r.id = (v_call.answer->'body'->>'refund')::bigint
    LEFT JOIN shop_orders s ON s.id = r.order_id;
END $$;

CREATE FUNCTION public.do_shop_refund_said(p_refund bigint, p_given boolean, p_ref text, p_why text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    r        shop_refunds;
    o        shop_orders;
    v_event  shop_events;
    v_failed boolean;
BEGIN
    SELECT s.* INTO STRICT o FROM shop_orders s JOIN shop_refunds f ON f.order_id = s.id WHERE f.id = p_refund FOR UPDATE OF s;
    v_failed := EXISTS (SELECT 1 FROM shop_events e WHERE e.order_id = o.id AND e.kind = 'refund_failed' AND e.subject = nullif(p_ref, ''));
    UPDATE shop_refunds f SET state = CASE WHEN NOT p_given THEN 'refused' WHEN v_failed THEN 'failed' ELSE 'done' END,
                              refund_ref = nullif(p_ref, ''), why = left(p_why, 200), ended_at = clock_timestamp()
    WHERE f.id = p_refund AND f.state = 'asked' RETURNING * INTO r;
    IF FOUND THEN
        IF p_given THEN
            INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor, currency)
            VALUES (o.provider, 'refund:' || r.token, 'refunded', o.id, o.payment_ref, r.refund_ref, o.price_minor, o.currency)
            RETURNING * INTO v_event;
            PERFORM shop_apply(o.id, v_event);
        ELSE
            PERFORM shop_settle(o.id, 'refund:' || r.id || ':refused');
        END IF;
        INSERT INTO audit (key_id, action, detail, code)
        VALUES (r.key_id, 'refund:said', jsonb_build_object('order', o.id, 'refund', r.id, 'why', r.why),
                CASE WHEN p_given THEN 'ok' ELSE 'payment_refused' END);
    END IF;
    RETURN QUERY SELECT CASE f.state WHEN 'done' THEN 'ok' ELSE 'payment_refused' END, admin_order_json(f.order_id)::text
                 FROM shop_refunds f WHERE f.id = p_refund;
END $$;

CREATE FUNCTION public.do_shop_refused(p_order bigint, p_why text) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE shop_orders SET state = 'failed', why = left(p_why, 200) WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'payment_refused';
END $$;

CREATE FUNCTION public.do_shop_sweep() RETURNS TABLE(expired bigint, forgotten bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'never opened' WHERE state = 'created' AND expires_at < now();
    GET DIAGNOSTICS expired = ROW_COUNT;
    DELETE FROM shop_events
    WHERE order_id IS NULL AND at < now() - make_interval(secs => setting_int('shop_unmatched_s'));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN NEXT;
END $$;

CREATE FUNCTION public.do_shop_unknown(p_order bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'unknown to the provider'
    WHERE id = p_order AND state = 'pending' AND expires_at < now();
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'wait' END;
END $$;

CREATE FUNCTION public.do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer, p_client_seeds bytea[]) RETURNS TABLE(code text, practice boolean)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
    v_practice boolean := false;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state = 'playing' THEN 'already_done'
                   WHEN v_table.state <> 'waiting' THEN 'table_over'
                   WHEN v_table.people_n = 0 THEN 'table_empty'
                   WHEN v_table.people_n + v_table.bots_n < v_table.seats_n
                        AND NOT coalesce((SELECT bots FROM rooms WHERE id = v_table.room_id), false)
                   THEN 'seats_free'
                   WHEN cardinality(p_bot_nicknames) < v_table.seats_n - v_table.people_n
                        OR cardinality(p_client_seeds) <> v_table.seats_n THEN 'too_few_bots'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        IF v_table.people_n < v_table.seats_n THEN
            INSERT INTO seats (table_id, seat, bot_level, nickname)
            SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
            FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n FROM generate_series(0, v_table.seats_n - 1) g
                  WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        END IF;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
        SELECT p_table, v_table.hand_no, v_table.server_seed, v_table.commit,
               pack_seeds(array_agg(s.client_seed ORDER BY s.seat)), now()
        FROM seats s WHERE s.table_id = p_table;
        v_practice := v_table.practice;
        IF v_table.people_n = 1 AND NOT v_table.practice THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

CREATE FUNCTION public.do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_room   rooms;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
    v_until  timestamptz;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::bigint, NULL::smallint, NULL::uuid, NULL::timestamptz, NULL::bytea,
                            NULL::text, false;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_room.id IS NULL THEN 'no_such_room'
                       WHEN NOT v_room.open THEN 'room_closed'
                       ELSE seat_refusal(p_player, v_room) END;
        IF v_code IS NULL THEN
            v_table := find_table(p_player, v_room, p_node, p_server_seed, p_commit);
            v_seat := seat_player(p_player, v_table);
            INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
            VALUES (p_ticket, v_table.id, p_player, v_seat,
                    now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0))
            RETURNING expires_at INTO v_until;
            v_answer := jsonb_build_object('code', 'ok', 'table_id', v_table.id, 'seat', v_seat, 'ticket', p_ticket,
                                           'expires_at', v_until, 'commit', encode(v_table.commit, 'hex'), 'node', v_table.node);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'take_seat', p_body_hash, v_answer);
    END IF;
    code := v_answer->>'code';
    table_id := v_answer->>'table_id';
    seat := v_answer->>'seat';
    ticket := v_answer->>'ticket';
    expires_at := v_answer->>'expires_at';
    commit := decode(v_answer->>'commit', 'hex');
    node := v_answer->>'node';
    repeated := NOT v_new;
    RETURN NEXT;
END $$;

CREATE FUNCTION public.do_unfriend(p_player bigint, p_other bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id);
    RETURN QUERY SELECT 'ok';
END $$;

CREATE FUNCTION public.do_watch_ticket(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, table_id bigint, ticket uuid, expires_at timestamp with time zone, delay_ms integer)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_table  tables;
    v_answer jsonb;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player' WHEN v_player.banned_at IS NOT NULL THEN 'banned' END;
    IF v_code IS NOT NULL THEN
        RETURN QUERY SELECT v_code, NULL::bigint, NULL::uuid, NULL::timestamptz, NULL::integer;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'watch', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL
                         OR (v_table.visibility = 'private' AND v_table.code IS DISTINCT FROM p_code) THEN 'no_such_table'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.watch_delay_ms IS NULL THEN 'not_watchable'
                       WHEN EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player)
                       THEN 'has_seat' END;
        IF v_code IS NULL THEN
            INSERT INTO tickets (id, table_id, player_id, expires_at)
            VALUES (p_ticket, p_table, p_player, now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0));
            SELECT jsonb_build_object('code', 'ok', 'table_id', p_table, 'ticket', k.id, 'expires_at', k.expires_at,
                                      'delay_ms', v_table.watch_delay_ms)
            INTO STRICT v_answer FROM tickets k WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'watch', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'ticket')::uuid,
                        (v_answer->>'expires_at')::timestamptz, (v_answer->>'delay_ms')::integer;
END $$;

CREATE FUNCTION public.ensure_seasons(p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_last seasons;
BEGIN
    LOOP
        SELECT * INTO STRICT v_last FROM seasons ORDER BY no DESC LIMIT 1;
        EXIT WHEN v_last.ends_at > p_at;
        INSERT INTO seasons (no, starts_at, ends_at)
        VALUES (v_last.no + 1, v_last.ends_at,
                v_last.ends_at + make_interval(days => setting_int('season_days')::integer))
        ON CONFLICT (no) DO NOTHING;
    END LOOP;
END $$;

CREATE TABLE public.tables (
    id bigint NOT NULL,
    room_id text,
    variant text NOT NULL,
    params text NOT NULL,
    seats_n smallint NOT NULL,
    people_n smallint DEFAULT 0 NOT NULL,
    takes_n integer DEFAULT 0 NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    practice boolean DEFAULT false NOT NULL,
    alone_day date,
    node text NOT NULL,
    hand_no integer DEFAULT 1 NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    fill_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    visibility text DEFAULT 'room'::text NOT NULL,
    creator_id bigint,
    options jsonb DEFAULT '{}'::jsonb NOT NULL,
    bots_n smallint DEFAULT 0 NOT NULL,
    bot_level smallint,
    code text,
    watch_delay_ms integer DEFAULT 0,
    rematch_of bigint,
    point_value smallint DEFAULT 0 NOT NULL,
    bots_kept smallint DEFAULT 0 NOT NULL,
    stopped_at timestamp with time zone,
    CONSTRAINT tables_bot_level_check CHECK (((bot_level >= 1) AND (bot_level <= 3))),
    CONSTRAINT tables_bots_kept_check CHECK ((bots_kept >= 0)),
    CONSTRAINT tables_bots_n_check CHECK ((bots_n >= 0)),
    CONSTRAINT tables_check CHECK (((people_n >= 0) AND (people_n <= seats_n))),
    CONSTRAINT tables_check1 CHECK (((people_n + bots_n) <= seats_n)),
    CONSTRAINT tables_check2 CHECK (((visibility = 'room'::text) = (room_id IS NOT NULL))),
    CONSTRAINT tables_check3 CHECK (((visibility = 'room'::text) = (creator_id IS NULL))),
    CONSTRAINT tables_check4 CHECK (((visibility = 'private'::text) = (code IS NOT NULL))),
    CONSTRAINT tables_commit_check CHECK ((octet_length(commit) = 32)),
    CONSTRAINT tables_hand_no_check CHECK ((hand_no > 0)),
    CONSTRAINT tables_multiplier_tenths_check CHECK ((multiplier_tenths >= 0)),
    CONSTRAINT tables_point_value_check CHECK ((point_value >= 0)),
    CONSTRAINT tables_reward_check CHECK ((reward >= 0)),
    CONSTRAINT tables_seats_n_check CHECK (((seats_n >= 2) AND (seats_n <= 6))),
    CONSTRAINT tables_server_seed_check CHECK ((octet_length(server_seed) = 32)),
    CONSTRAINT tables_stake_check CHECK ((stake >= 0)),
    CONSTRAINT tables_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'playing'::text, 'finished'::text, 'cancelled'::text]))),
    CONSTRAINT tables_visibility_check CHECK ((visibility = ANY (ARRAY['room'::text, 'public'::text, 'private'::text]))),
    CONSTRAINT tables_watch_delay_ms_check CHECK (((watch_delay_ms >= 0) AND (watch_delay_ms <= 3600000)))
);

CREATE FUNCTION public.find_table(p_player bigint, p_room public.rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS public.tables
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_table tables := lock_joinable_table(p_player, p_room, p_node);
BEGIN
    IF v_table.id IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
        FOR v_try IN 1..setting_int('seat_tries_max') LOOP
            v_table := lock_joinable_table(p_player, p_room, p_node);
            EXIT WHEN v_table.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM joinable_tables(p_player, p_room, p_node));
            PERFORM pg_sleep(setting_int('seat_retry_ms') / 1000.0);
        END LOOP;
    END IF;
    IF v_table.id IS NULL THEN
        INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node, server_seed,
                            commit, fill_at)
        VALUES (p_room.id, p_room.variant, p_room.params, p_room.seats_n, p_room.stake, p_room.reward,
                p_room.multiplier_tenths, p_node, p_server_seed, p_commit,
                now() + make_interval(secs => p_room.fill_wait_ms / 1000.0))
        RETURNING * INTO v_table;
    END IF;
    RETURN v_table;
END $$;

CREATE FUNCTION public.friends_of(p_player bigint) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    (SELECT to_id FROM friends WHERE from_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL ORDER BY from_id)
    UNION ALL (SELECT from_id FROM friends WHERE to_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL ORDER BY to_id)
$$;

CREATE FUNCTION public.game_pays_daily() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;

CREATE FUNCTION public.game_player_points() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seats integer;
BEGIN
    SELECT t.seats_n INTO v_seats FROM games g JOIN tables t ON t.id = g.table_id
    WHERE g.id = NEW.game_id AND NOT has_own_points(g.variant);
    IF FOUND THEN
        NEW.game_points := variant_points(NEW.place, v_seats);
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.game_points(p_variant text, p_place integer, p_opened boolean, p_cards_left integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT least(setting_int('game_points_max'),
                         coalesce((SELECT points FROM place_points WHERE variant = p_variant AND place = p_place), 0)
                         + CASE WHEN p_opened THEN setting_int('opened_points') ELSE 0 END
                         + greatest(0, setting_int('thrown_points') - p_cards_left))::integer);
END $$;

CREATE FUNCTION public.has_blocked(p_by bigint, p_other bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM player_bars WHERE player_id = p_by AND other_id = p_other AND blocked);
END $$;

CREATE FUNCTION public.has_own_points(p_variant text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM place_points WHERE variant = p_variant);
END $$;

CREATE FUNCTION public.idempotent_answer(p_player bigint, p_key text, p_action text, p_body_hash bytea) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT CASE WHEN action = p_action AND body_hash = p_body_hash THEN answer
                        ELSE '{"code": "idempotency_key_reused"}' END
            FROM idempotency WHERE player_id = p_player AND key = p_key);
END $$;

CREATE FUNCTION public.invite_accepted(p_player bigint, p_inviter bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO invites (invited_id, inviter_id) VALUES (p_player, p_inviter);
    PERFORM do_credit(p_player, 'gold', setting_int('invited_gold'), 'invite', 'invited:' || p_player, '');
END $$;

CREATE FUNCTION public.invite_level_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM invites_ripen(NULL);
    RETURN NULL;
END $$;

CREATE FUNCTION public.invite_refusal(p_player bigint, p_inviter bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE
        WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_inviter AND deleted_at IS NULL AND banned_at IS NULL) THEN 'invite_unknown'
        WHEN p_inviter = p_player THEN 'invite_self'
        WHEN EXISTS (SELECT 1 FROM invites WHERE invited_id = p_player) THEN 'invite_used'
        -- two who invite each other, or one's inviter's inviter
        WHEN EXISTS (WITH RECURSIVE above (id, n) AS (
                         SELECT p_inviter, 0 UNION ALL
                         SELECT i.inviter_id, a.n + 1 FROM above a JOIN invites i ON i.invited_id = a.id WHERE a.n < 16)
                     SELECT 1 FROM above WHERE id = p_player) THEN 'invite_circle'
        WHEN (SELECT count(*) FROM invites WHERE inviter_id = p_inviter AND at > now() - interval '1 day')
             >= setting_int('invites_per_day_max') THEN 'invite_full' END
$$;

CREATE FUNCTION public.invite_ripens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM invites_ripen(NEW.invited_id);
    RETURN NULL;
END $$;

CREATE FUNCTION public.inviter_of(p_code text) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT player_id FROM invite_codes WHERE code = upper(p_code)
$$;

CREATE FUNCTION public.invites_ripen(p_invited bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_invited IS NOT NULL THEN
        INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
        WHERE i.invited_id = p_invited AND i.state = 'open' AND p.level >= setting_int('invite_level')
        ON CONFLICT DO NOTHING;
    ELSE
        INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
        WHERE i.state = 'open' AND p.level >= setting_int('invite_level')
        ON CONFLICT DO NOTHING;
    END IF;
END $$;

CREATE FUNCTION public.is_barred(p_player bigint, p_table bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM seats s JOIN player_bars b ON b.blocked
            AND ((b.player_id = p_player AND b.other_id = s.player_id) OR (b.player_id = s.player_id AND b.other_id = p_player))
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL)
    OR EXISTS (
        SELECT 1 FROM seats s JOIN players_apart a ON a.low_id = least(p_player, s.player_id) AND a.high_id = greatest(p_player, s.player_id)
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL);
END $$;

CREATE FUNCTION public.job_clock_is_back(p_job text, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT by_time AND done_at IS NOT NULL AND p_at < done_at - make_interval(secs => setting_int('clock_back_max_s'))
    FROM jobs WHERE job = p_job
$$;

CREATE FUNCTION public.job_step_of(p_job text, p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $_$
DECLARE
    v_step job_step;
BEGIN
    EXECUTE format('SELECT * FROM %I($1)', p_job || '_step') INTO v_step USING p_at;
    RETURN v_step;
END $_$;

CREATE FUNCTION public.joinable_tables(p_player bigint, p_room public.rooms, p_node text) RETURNS SETOF public.tables
    LANGUAGE sql STABLE
    AS $$
    SELECT t.*
    FROM tables t
    WHERE t.room_id = p_room.id AND t.state = 'waiting' AND t.people_n < t.seats_n
      AND t.variant = p_room.variant AND t.params = p_room.params AND t.stake = p_room.stake
      AND (t.rematch_of IS NULL OR t.fill_at < now())
      AND (t.node = p_node OR EXISTS (
              SELECT 1 FROM nodes n WHERE n.name = t.node
              AND n.alive_at > now() - make_interval(secs => setting_int('node_dead_ms') / 1000.0)))
      AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = p_player)
      AND NOT is_barred(p_player, t.id)
$$;

CREATE FUNCTION public.league_board(p_season integer, p_position integer) RETURNS integer
    LANGUAGE sql
    AS $$
    SELECT board_of('league', 'rummy51', p_season || ':' || p_position)
$$;

CREATE FUNCTION public.league_boards_forget() RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.league_decisions(p_season integer, p_position integer, p_ranked bigint, p_place bigint, p_score bigint, p_player bigint, p_limit bigint, p_preview boolean) RETURNS TABLE(player_id bigint, score bigint, place bigint, games bigint, rating integer, to_position smallint, reason text, said text)
    LANGUAGE plpgsql ROWS 50000
    AS $$
#variable_conflict use_column
DECLARE
    l       leagues;
    n       leagues;
    v_board integer := league_board(p_season, p_position);
    v_level integer; -- of the room of the league above
    v_open  boolean;
    v_first boolean := p_position = (SELECT min(position) FROM leagues);
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    SELECT * INTO STRICT l FROM leagues WHERE position = p_position;
    SELECT * INTO n FROM leagues WHERE position = p_position + 1;
    v_level := (SELECT t.level_from FROM rooms r JOIN titles t ON t.name = r.title WHERE r.id = n.id);
    v_open := n.open OR p_preview AND n.id IN (SELECT leagues_to_open());
    RETURN QUERY
    WITH page AS (
        SELECT e.player_id, e.score, p_place + row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
        FROM board_entries e
        WHERE e.board_id = v_board AND (e.score, -e.player_id) < (coalesce(p_score, 9223372036854775807), -p_player)
        ORDER BY e.score DESC, (-e.player_id) DESC LIMIT p_limit
    ), earned AS (
        SELECT g.player_id, g.score, g.place, r.games, r.rating,
               CASE WHEN r.games < v_games_min THEN 'too_few_games'
                    WHEN r.rating < l.relegate_rating THEN 'relegated'
                    WHEN g.place > p_ranked - l.relegate_places THEN 'relegated'
                    WHEN n.id IS NULL THEN 'stays'
                    WHEN r.rating >= l.promote_rating OR g.place <= l.promote_places THEN
                        CASE WHEN v_open THEN 'promoted' ELSE 'league_closed' END
                    ELSE 'stays' END AS earned
        FROM (SELECT * FROM page ORDER BY player_id) g JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
    ), allowed AS (
        SELECT e.*, CASE WHEN p.level < v_level THEN 'room_locked' ELSE e.earned END AS reason
        FROM earned e LEFT JOIN players p ON e.earned = 'promoted' AND p.id = e.player_id
    )
    SELECT j.player_id, j.score, j.place, j.games, j.rating, m.to_position, j.reason,
           CASE j.reason
        WHEN 'too_few_games' THEN j.games || ' of at least ' || v_games_min || ' games counted in the ' || l.name || ' league'
             || CASE WHEN v_first THEN ', so you stay.' ELSE ': you play one league lower.' END
        WHEN 'relegated' THEN CASE WHEN j.rating < l.relegate_rating
             THEN 'Rating ' || j.rating || ' is below the ' || l.relegate_rating || ' the ' || l.name || ' league asks for.'
             ELSE 'Place ' || j.place || ' is among the last ' || l.relegate_places || ' of the ' || l.name || ' league.' END
        WHEN 'promoted' THEN CASE WHEN l.promote_rating IS NOT NULL
             THEN 'Rating ' || j.rating || ' reaches the ' || l.promote_rating || ' for promotion to the ' || n.name || ' league.'
             ELSE 'Place ' || j.place || ' is among the first ' || l.promote_places || ': promotion to the ' || n.name || ' league.' END
        WHEN 'room_locked' THEN 'Promotion to the ' || n.name || ' league was earned, but the ' || n.name || ' room is not unlocked yet.'
        WHEN 'league_closed' THEN 'Promotion was earned, but the ' || n.name || ' league is not open yet.'
        ELSE 'Place ' || j.place || ' with a rating of ' || j.rating || ': you stay in the ' || l.name || ' league.' END
    FROM allowed j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

CREATE FUNCTION public.league_ranked_n(p_season integer, p_position integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN board_place(league_board(p_season, p_position), (1::bigint << 60) - 1, -9223372036854775807) - 1;
END $$;

CREATE FUNCTION public.leagues_to_open() RETURNS SETOF text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN QUERY
    SELECT l.id FROM leagues l JOIN rooms r ON r.id = l.id JOIN titles t ON t.name = r.title
    WHERE NOT l.open AND l.opens_players IS NOT NULL
      AND l.opens_players <= (SELECT count(*) FROM (
              SELECT 1 FROM league_members m JOIN players p ON p.id = m.player_id
              WHERE m.position = l.position - 1 AND p.level >= t.level_from AND p.deleted_at IS NULL LIMIT l.opens_players) e);
END $$;

CREATE FUNCTION public.ledger_account_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.kind <> 'house' AND NEW.balance IS NULL THEN
            NEW.balance := 0;
        END IF;
        IF NEW.balance <> 0 THEN
            RAISE EXCEPTION 'ledger: an account starts empty' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF pg_trigger_depth() < 2
       OR (NEW.id, NEW.kind, NEW.currency, NEW.player_id, NEW.table_id, NEW.cause)
          IS DISTINCT FROM (OLD.id, OLD.kind, OLD.currency, OLD.player_id, OLD.table_id, OLD.cause) THEN
        RAISE EXCEPTION 'ledger: a balance changes only by a posting' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.ledger_balance_posted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_balance bigint;
    v_posted  bigint;
BEGIN
    SELECT a.balance, coalesce((SELECT p.balance_after FROM postings p WHERE p.account_id = a.id
                                ORDER BY p.id DESC LIMIT 1), 0)
    INTO v_balance, v_posted
    FROM accounts a WHERE a.id = NEW.id;
    IF v_balance IS NOT NULL AND v_balance <> v_posted THEN
        RAISE EXCEPTION 'ledger: account % has a balance of % without a posting', NEW.id, v_balance
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.ledger_balances_follow() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
    v_account bigint;
BEGIN
    FOR v_try IN 1..2 LOOP
        SELECT l.account_id INTO v_account
        FROM (SELECT o.account_id, min(o.id) AS first_id, count(*) AS n, count(o.balance_after) AS known, max(o.balance_after - o.running) AS began,
                     min(o.balance_after - o.running) AS began_too, (array_agg(o.balance_after ORDER BY o.id DESC))[1] AS last,
                     min(o.balance) AS balance
              FROM (SELECT p.id, p.account_id, p.balance_after, a.balance, sum(p.amount) OVER (PARTITION BY p.account_id ORDER BY p.id) AS running
                    FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house') o
              GROUP BY o.account_id) l
        WHERE l.known <> l.n OR l.began <> l.began_too OR l.balance <> l.last
           OR l.n <> (SELECT count(*) FROM postings q WHERE q.account_id = l.account_id AND q.id >= l.first_id)
           OR l.began <> coalesce((SELECT q.balance_after FROM postings q WHERE q.account_id = l.account_id AND q.id < l.first_id
                                   ORDER BY q.id DESC LIMIT 1), 0)
        LIMIT 1;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        EXIT WHEN v_try = 2;
        WITH moved AS (
            SELECT p.account_id, (array_agg(p.balance_after ORDER BY p.id DESC))[1] AS last, sum(p.amount) AS amount
            FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house' GROUP BY p.account_id
        )
        UPDATE accounts a SET balance = m.last FROM moved m
        WHERE a.id = m.account_id AND a.balance <> m.last AND a.balance = m.last - m.amount;
    END LOOP;
    RAISE EXCEPTION 'ledger: the balance of account % does not follow from its postings', v_account USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.ledger_post(p_cause text, p_key text, p_table bigint, p_note text, p_legs public.ledger_leg[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO transfers (cause, key, table_id, note) VALUES (p_cause, p_key, p_table, p_note)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO v_id;
    IF v_id IS NOT NULL THEN
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT v_id, l.account_id, l.amount, l.reason
        FROM unnest(p_legs) WITH ORDINALITY AS l (account_id, amount, reason, n)
        WHERE l.amount <> 0
        ORDER BY l.n;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION public.ledger_posting_apply() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE accounts SET balance = balance + NEW.amount
    WHERE id = NEW.account_id AND kind <> 'house'
    RETURNING balance INTO NEW.balance_after;
    IF NOT FOUND THEN
        NEW.balance_after := NULL; -- a house account, or none (the foreign key refuses that)
    END IF;
    NEW.id := nextval('postings_id'); -- not before the lock is held
    RETURN NEW;
END $$;

CREATE FUNCTION public.ledger_refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.ledger_transfer_balanced() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
    v_transfer bigint;
    v_alone    boolean;
    v_wrong    boolean;
    v_head     boolean;
BEGIN
    SELECT g.transfer_id, bool_or(g.alone), bool_or(g.wrong), EXISTS (SELECT 1 FROM transfers t WHERE t.id = g.transfer_id)
    INTO v_transfer, v_alone, v_wrong, v_head
    FROM (SELECT p.transfer_id, a.currency, count(*) AS n, bool_or(a.id IS NULL) AS alone,
                 sum(p.amount) <> 0 OR coalesce(bool_or(a.kind = 'house' AND p.balance_after IS NOT NULL), true) AS wrong
          FROM added p LEFT JOIN accounts a ON a.id = p.account_id GROUP BY p.transfer_id, a.currency) g
    GROUP BY g.transfer_id
    HAVING bool_or(g.alone) OR bool_or(g.wrong) OR NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = g.transfer_id)
        OR sum(g.n) <> (SELECT count(*) FROM postings q WHERE q.transfer_id = g.transfer_id)
    ORDER BY 2 DESC, 3 DESC LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF v_alone THEN
        RAISE EXCEPTION 'ledger: transfer % has a line of no account', v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF v_wrong THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero', v_transfer USING ERRCODE = 'check_violation';
    ELSIF NOT v_head THEN
        RAISE EXCEPTION 'ledger: there is no transfer %', v_transfer USING ERRCODE = 'foreign_key_violation';
    END IF;
    RAISE EXCEPTION 'ledger: transfer % has its postings already', v_transfer USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.ledger_transfer_posted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM postings WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger: transfer % has no postings', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.limit_exclusion_refuses(p_player bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF limit_of(p_player, 'exclusion') > extract(epoch FROM now()) THEN
        RAISE EXCEPTION 'limit: player % excluded himself', p_player USING ERRCODE = 'RU001';
    END IF;
END $$;

CREATE FUNCTION public.limit_none(p_kind text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE p_kind WHEN 'time' THEN 1440 WHEN 'purchases' THEN 100000000 ELSE 0 END::bigint
$$;

CREATE FUNCTION public.limit_of(p_player bigint, p_kind text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN coalesce((SELECT CASE WHEN next_at <= now() THEN next_value ELSE value END FROM play_limits
                     WHERE player_id = p_player AND kind = p_kind), limit_none(p_kind));
END $$;

CREATE FUNCTION public.limit_order_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_limit bigint;
BEGIN
    IF EXISTS (SELECT 1 FROM play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM limit_exclusion_refuses(NEW.player_id);
        v_limit := limit_of(NEW.player_id, 'purchases');
        IF v_limit < limit_none('purchases')
           AND bought_minor(NEW.player_id, now()) + limit_worth(NEW.price_minor, NEW.currency) > v_limit THEN
            RAISE EXCEPTION 'limit: player % bought as much as he wants', NEW.player_id USING ERRCODE = 'RU003';
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.limit_seat_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM limit_exclusion_refuses(NEW.player_id);
        IF played_s(NEW.player_id, now()) >= 60 * limit_of(NEW.player_id, 'time') THEN
            RAISE EXCEPTION 'limit: player % played as long as he wants', NEW.player_id USING ERRCODE = 'RU002';
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.limit_worth(p_minor bigint, p_currency text) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT least(limit_none('purchases'),
                 coalesce((SELECT ceil(p_minor * worth)::bigint FROM limit_currencies WHERE currency = p_currency), limit_none('purchases')))
$$;

CREATE FUNCTION public.limits_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object(
        'minutes_per_day', nullif(limit_of(p_player, 'time'), limit_none('time')),
        'purchases_per_day', nullif(limit_of(p_player, 'purchases'), limit_none('purchases')),
        'excluded_until', CASE WHEN limit_of(p_player, 'exclusion') > extract(epoch FROM now())
                               THEN rfc3339(to_timestamp(limit_of(p_player, 'exclusion'))) END,
        'minutes_today', played_s(p_player, now()) / 60, 'purchases_today', bought_minor(p_player, now()),
        'pending', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'limit', CASE kind WHEN 'time' THEN 'minutes_per_day' WHEN 'purchases' THEN 'purchases_per_day' ELSE 'excluded_until' END,
                'value', CASE WHEN kind <> 'exclusion' THEN nullif(next_value, limit_none(kind)) END,
                'until', CASE WHEN kind = 'exclusion' AND next_value > 0 THEN rfc3339(to_timestamp(next_value)) END,
                'at', rfc3339(next_at)) ORDER BY kind)
            FROM play_limits WHERE player_id = p_player AND next_at > now()), '[]'))
$$;

CREATE FUNCTION public.local_day(p_at timestamp with time zone) RETURNS date
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'))::date);
END $$;

CREATE FUNCTION public.local_midnight(p_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT local_day(p_at)::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone')
$$;

CREATE FUNCTION public.lock_joinable_table(p_player bigint, p_room public.rooms, p_node text) RETURNS public.tables
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_table tables;
BEGIN
    LOOP
        SELECT t.* INTO v_table FROM tables t
        WHERE t.id IN (SELECT j.id FROM joinable_tables(p_player, p_room, p_node) j)
          AND t.state = 'waiting' AND t.people_n < t.seats_n
        ORDER BY rating_bands(p_player, t), t.created_at, t.id LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED;
        EXIT WHEN NOT is_barred(p_player, v_table.id);
    END LOOP;
    RETURN v_table;
END $$;

CREATE FUNCTION public.lock_players(p_players bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM players WHERE id = ANY (p_players) ORDER BY id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION public.lock_seasons(p_alone boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_alone THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd seasons', 0));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('rummyd seasons', 0));
    END IF;
END $$;

CREATE FUNCTION public.make_league_rows(p_season integer, p_players bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_scale     bigint := setting_int('rating_scale');
    v_most      bigint := setting_int('game_points_max');
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    INSERT INTO league_members (player_id, position, since)
    SELECT DISTINCT g.player_id, (SELECT min(position) FROM leagues), p_season
    FROM unnest(p_players) u (player_id) JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
    ON CONFLICT (player_id) DO NOTHING;
    WITH counted AS (
        SELECT g.player_id, m.position, sum(g.games)::bigint AS games, sum(g.points)::bigint AS points, sum(g.wins)::bigint AS wins
        FROM unnest(p_players) u (player_id)
        JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
        JOIN league_members m ON m.player_id = g.player_id AND g.room_position >= m.position
        GROUP BY g.player_id, m.position
    ), rows AS (
        INSERT INTO league_rows AS r (season_no, player_id, position, games, points, wins, rating)
        SELECT p_season, player_id, position, games, points, wins, (points * v_scale / (games * v_most))::integer
        FROM counted
        ON CONFLICT (season_no, player_id) DO UPDATE
        SET games = excluded.games, points = excluded.points, wins = excluded.wins, rating = excluded.rating
        RETURNING r.player_id, r.position, r.games, r.wins, r.rating
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT b.board, r.player_id, CASE WHEN r.games >= v_games_min THEN 1::bigint << 60 ELSE 0 END -- as league_score
           + (r.rating::bigint << 40) + (least(r.games, 1048575) << 20) + least(r.wins, 1048575)
    FROM rows r JOIN (SELECT o.position, league_board(p_season, o.position) AS board
                      FROM (SELECT DISTINCT position FROM counted) o) b ON b.position = r.position
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

CREATE FUNCTION public.monthly_prizes_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $_$
DECLARE
    v_period text;
    v_row    record;
    v_n      bigint := 0;
    v_gold   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd months', 0));
    PERFORM lock_seasons(true); -- games that began to be counted before the month ended
    v_period := (SELECT min(period) FROM boards WHERE period ~ '^[0-9]{4}-[0-9]{2}$'
                 AND period < to_char(local_day(p_at), 'YYYY-MM') AND kind <> 'league'
                 AND period NOT IN (SELECT period FROM month_closings));
    IF v_period IS NULL THEN
        RETURN ROW(false, '{"months": 0}')::job_step;
    END IF;
    INSERT INTO month_closings (period) VALUES (v_period);
    INSERT INTO month_winners (period, variant, kind, place, player_id, value, gold)
    SELECT v_period, z.variant, z.kind, z.place, t.player_id, board_value(z.kind, t.score), z.gold
    FROM boards b
    CROSS JOIN LATERAL (SELECT e.player_id, e.score, row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
                        FROM (SELECT * FROM board_entries o WHERE o.board_id = b.id
                              ORDER BY o.score DESC, (-o.player_id) DESC LIMIT (SELECT max(place) FROM month_prizes)) e) t
    JOIN month_prizes z ON z.variant = b.variant AND z.kind = b.kind AND z.place = t.place
    WHERE b.period = v_period;
    PERFORM lock_players(ARRAY(SELECT player_id FROM month_winners WHERE period = v_period));
    FOR v_row IN SELECT * FROM month_winners WHERE period = v_period ORDER BY player_id, variant, kind LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'month',
                          'month:' || v_period || ':' || v_row.variant || ':' || v_row.kind || ':' || v_row.place, '');
        PERFORM notify_player(v_row.player_id, 'month_prize', jsonb_build_object('month', v_period, 'variant', v_row.variant,
                              'board', v_row.kind, 'place', v_row.place, 'gold', v_row.gold));
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    RETURN ROW(true, jsonb_build_object('months', 1, 'prizes', v_n, 'gold', v_gold))::job_step;
END $_$;

CREATE FUNCTION public.node_holds(p_name text, p_epoch bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM nodes WHERE name = p_name AND epoch = p_epoch FOR SHARE;
    RETURN FOUND;
END $$;

CREATE FUNCTION public.note_played(p_player bigint, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = s.streak, streak_best = greatest(d.streak_best, s.streak)
    FROM (SELECT player_id, streak_before(o, v_day) + 1 AS streak FROM player_days o WHERE o.player_id = p_player) s
    WHERE d.player_id = s.player_id AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

CREATE FUNCTION public.notify_friend(p_player bigint, p_other bigint, p_state text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF has_blocked(p_other, p_player) OR EXISTS (
        SELECT 1 FROM notifications WHERE player_id = p_other AND kind = 'friend' AND data ->> 'player_id' = p_player::text
        AND data ->> 'state' = p_state AND at > now() - make_interval(days => setting_int('friend_ask_days')::int)) THEN
        RETURN;
    END IF;
    PERFORM notify_player(p_other, 'friend', jsonb_build_object('player_id', p_player::text, 'state', p_state,
                          'nickname', (SELECT nickname FROM players WHERE id = p_player)));
END $$;

CREATE FUNCTION public.notify_player(p_player bigint, p_kind text, p_data jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data) VALUES (p_player, p_kind, p_data);
END $$;

CREATE FUNCTION public.open_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_id bigint := account_hold(p_table, p_player, p_currency);
BEGIN
    IF v_id IS NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id) VALUES ('hold', p_currency, p_player, p_table)
        RETURNING id INTO v_id;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION public.open_rematch(p_table public.tables, p_room public.rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS public.tables
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_new tables := p_table;
BEGIN
    INSERT INTO tables (room_id, variant, params, options, seats_n, stake, reward, multiplier_tenths, practice, node,
                        server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept, bot_level, code, watch_delay_ms,
                        rematch_of, point_value)
    VALUES (p_table.room_id, p_table.variant, p_table.params, p_table.options, p_table.seats_n,
            coalesce(p_room.stake, p_table.stake), coalesce(p_room.reward, p_table.reward),
            coalesce(p_room.multiplier_tenths, p_table.multiplier_tenths), p_table.visibility = 'private', p_node,
            p_server_seed, p_commit, now() + make_interval(secs => setting_int('rematch_wait_ms') / 1000.0),
            p_table.visibility, p_table.creator_id, p_table.bots_n, p_table.bots_n, p_table.bot_level, p_table.code,
            p_table.watch_delay_ms, p_table.id, p_table.point_value)
    RETURNING * INTO v_new;
    RETURN v_new;
END $$;

CREATE FUNCTION public.pack_seeds(p_seeds bytea[]) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN (SELECT string_agg(set_byte('\x00', 0, octet_length(s)) || s, '' ORDER BY n)
            FROM unnest(p_seeds) WITH ORDINALITY AS u (s, n));
END $$;

CREATE TABLE public.partitioned (
    parent text NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    width integer NOT NULL,
    ahead integer NOT NULL,
    keep integer,
    CONSTRAINT partitioned_ahead_check CHECK ((ahead > 0)),
    CONSTRAINT partitioned_keep_check CHECK ((keep > 0)),
    CONSTRAINT partitioned_kind_check CHECK ((kind = ANY (ARRAY['month'::text, 'season'::text, 'table'::text]))),
    CONSTRAINT partitioned_width_check CHECK ((width > 0))
);

CREATE FUNCTION public.partition_forget(p public.partitioned, p_now bigint) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.partition_from(p public.partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE p.kind WHEN 'month' THEN to_char(make_date((p_no * p.width / 12)::integer, (p_no * p.width % 12)::integer + 1, 1), 'YYYY-MM-DD') || ' 00:00:00+00'
                     ELSE (p_no * p.width)::text END
$$;

CREATE FUNCTION public.partition_make(p public.partitioned, p_no bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.partition_name(p public.partitioned, p_no bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT p.parent || '_' || CASE p.kind WHEN 'month' THEN translate(left(partition_from(p, p_no), 7), '-', '_') ELSE p_no::text END
$$;

CREATE FUNCTION public.partition_now(p public.partitioned, p_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT CASE p.kind
        WHEN 'month' THEN (extract(year FROM p_at AT TIME ZONE 'UTC') * 12 + extract(month FROM p_at AT TIME ZONE 'UTC'))::bigint - 1
        WHEN 'season' THEN coalesce((SELECT no FROM seasons WHERE state IN ('opening', 'open', 'closing')), 1)
        ELSE (SELECT coalesce(max(id), 1) FROM tables) END / p.width);
END $$;

CREATE FUNCTION public.partition_upkeep_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.pin_watch_delay() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT watch_delay_ms INTO NEW.watch_delay_ms FROM rooms WHERE id = NEW.room_id;
    RETURN NEW;
END $$;

CREATE FUNCTION public.played_s(p_player bigint, p_at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(sum(extract(epoch FROM upper(r) - lower(r))), 0)::bigint
    FROM unnest((
        SELECT range_agg(tstzrange(greatest(x.began, local_midnight(p_at)), x.ended))
        FROM (SELECT g.started_at AS began, least(g.ended_at, p_at) AS ended
              FROM (SELECT game_id FROM game_players WHERE player_id = p_player ORDER BY game_id DESC LIMIT 500) p
              JOIN games g ON g.id = p.game_id
              UNION ALL
              SELECT t.started_at, p_at FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player_id = p_player AND s.live) x
        WHERE x.began < x.ended AND x.ended > local_midnight(p_at))) AS r
$$;

CREATE FUNCTION public.player_days_born() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO player_days (player_id, bonus_day) VALUES (NEW.id, local_day(NEW.created_at));
    RETURN NULL;
END $$;

CREATE FUNCTION public.player_played() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM note_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;

CREATE FUNCTION public.player_ripens() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM invites_ripen(NEW.id);
    RETURN NULL;
END $$;

CREATE FUNCTION public.post_daily(p_players bigint[], p_today date) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_base       bigint := setting_int('daily_base');
    v_step       bigint := setting_int('daily_streak_step');
    v_max        bigint := setting_int('daily_streak_max');
    v_level_step bigint := setting_int('daily_level_step');
    v_house      bigint := account_house('daily', 'silver');
    v_lost       bigint := account_house('over_cap', 'silver');
    v_n          bigint;
BEGIN
    WITH held AS (
        SELECT s.player_id, sum(b.balance)::bigint AS silver
        FROM seats s JOIN accounts b ON b.kind = 'hold' AND b.table_id = s.table_id AND b.player_id = s.player_id AND b.currency = 'silver'
        WHERE s.live AND s.player_id = ANY (p_players) GROUP BY s.player_id
    ), who AS MATERIALIZED (
        SELECT d AS days, p.id, p.level, a.id AS purse, a.balance, coalesce(h.silver, 0) AS held, l.silver_cap
        FROM unnest(p_players) u (player_id) JOIN player_days d ON d.player_id = u.player_id
        JOIN players p ON p.id = d.player_id AND p.deleted_at IS NULL JOIN levels l ON l.level = p.level
        JOIN accounts a ON a.kind = 'purse' AND a.player_id = p.id AND a.currency = 'silver'
        LEFT JOIN held h ON h.player_id = p.id
    ), due AS (
        SELECT w.id, w.purse, w.balance, w.held, w.silver_cap, n.day, 'daily:' || w.id || ':' || n.day AS key,
               daily_amount(streak_before(w.days, n.day), w.level, v_base, v_step, v_max, v_level_step) AS bonus
        FROM who w
        CROSS JOIN LATERAL (SELECT (w.days).bonus_day + g AS day FROM generate_series(1, p_today - (w.days).bonus_day) g) n
        WHERE (SELECT f.id FROM transfers f WHERE f.key = 'daily:' || w.id || ':' || n.day) IS NULL
    ), summed AS (
        SELECT *, balance + held AS owned, (sum(bonus) OVER (PARTITION BY id ORDER BY day))::bigint AS total FROM due WHERE bonus > 0
    ), known AS (
        SELECT id, day, key, purse, bonus, greatest(owned, least(silver_cap, owned + total)) - held AS after,
               bonus - (greatest(owned, least(silver_cap, owned + total)) - greatest(owned, least(silver_cap, owned + total - bonus))) AS lost
        FROM summed
    ), headed AS (
        INSERT INTO transfers (cause, key) SELECT 'daily', key FROM known ORDER BY id, day
        RETURNING id, key
    ), posted AS (
        INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)
        SELECT nextval('postings_id'), o.transfer, o.account, o.amount, o.reason, o.after
        FROM (SELECT h.id AS transfer, x.*
              FROM known k JOIN headed h ON h.key = k.key
              CROSS JOIN LATERAL (VALUES
                  (1, v_house, -k.bonus, 'daily', NULL),
                  (2, k.purse, k.bonus, 'daily', k.after + k.lost),
                  (3, k.purse, -k.lost, 'over_cap', k.after),
                  (4, v_lost, k.lost, 'over_cap', NULL)) AS x (n, account, amount, reason, after)
              WHERE x.amount <> 0
              ORDER BY k.id, k.day, x.n) o
    )
    SELECT count(*) INTO v_n FROM known;
    UPDATE player_days SET bonus_day = p_today WHERE player_id = ANY (p_players) AND bonus_day < p_today;
    RETURN v_n;
END $$;

CREATE FUNCTION public.pot_legs(p_table public.tables, p_game bigint) RETURNS public.ledger_leg[]
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_legs    ledger_leg[] := '{}';
    v_row     record;
    v_silver  bigint;
    v_gold    bigint;
    v_winners bigint;
    v_nth     bigint := 0;
    v_gain_s  bigint;
    v_gain_g  bigint;
    v_lost    bigint;
BEGIN
    SELECT sum(silver), sum(gold), count(*) FILTER (WHERE won) INTO STRICT v_silver, v_gold, v_winners
    FROM pot_payments(p_table, p_game);
    FOR v_row IN SELECT * FROM pot_payments(p_table, p_game) ORDER BY seat LOOP
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_table.id, v_row.player_id, 'silver'), -v_row.stake_silver, 'stake'),
            ROW(account_purse(v_row.player_id, 'silver'), v_row.stake_silver - v_row.silver, 'stake_back'),
            ROW(account_hold(p_table.id, v_row.player_id, 'gold'), -v_row.stake_gold, 'stake'),
            ROW(account_purse(v_row.player_id, 'gold'), v_row.stake_gold - v_row.gold, 'stake_back')]::ledger_leg[];
        CONTINUE WHEN NOT v_row.won;
        v_gain_s := v_silver / v_winners + (v_nth < v_silver % v_winners)::integer;
        v_gain_g := v_gold / v_winners
                    + ((v_nth - v_silver % v_winners + v_winners) % v_winners < v_gold % v_winners)::integer;
        v_lost := silver_over_cap(v_row.player_id, v_gain_s);
        v_legs := v_legs || ARRAY[
            ROW(account_purse(v_row.player_id, 'silver'), v_gain_s, 'pot'),
            ROW(account_purse(v_row.player_id, 'silver'), -v_lost, 'over_cap'),
            ROW(account_house('over_cap', 'silver'), v_lost, 'over_cap'),
            ROW(account_purse(v_row.player_id, 'gold'), v_gain_g, 'pot')]::ledger_leg[];
        v_nth := v_nth + 1;
    END LOOP;
    IF v_winners = 0 THEN
        RAISE EXCEPTION 'the pot of table % has no winner among people', p_table.id;
    END IF;
    RETURN v_legs;
END $$;

CREATE FUNCTION public.pot_payments(p_table public.tables, p_game bigint) RETURNS TABLE(seat smallint, player_id bigint, won boolean, stake_silver bigint, stake_gold bigint, silver bigint, gold bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT s.seat, s.player_id, g.won, s.stake_silver, s.stake_gold, least(s.stake_silver, p.pays),
           least(s.stake_gold, p.pays - least(s.stake_silver, p.pays))
    FROM seats s JOIN game_players g ON g.game_id = p_game AND g.seat = s.seat
    CROSS JOIN LATERAL (SELECT CASE WHEN g.won THEN 0
                                    WHEN p_table.point_value > 0 THEN least(greatest(g.points, 0) * p_table.point_value, p_table.stake)
                                    ELSE p_table.stake END AS pays) p
    WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL
$$;

CREATE FUNCTION public.q_achievements(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'ok', jsonb_build_object('items', jsonb_agg(jsonb_build_object(
        'id', a.id, 'about', a.about, 'gold', a.gold, 'goal', a.goal, 'progress', least(a.goal, coalesce(c.n, 0)),
        'earned_at', rfc3339(e.earned_at)) ORDER BY a.position))::text
    FROM achievements a
    LEFT JOIN player_counters c ON c.player_id = p_player AND c.counter = a.counter
    LEFT JOIN player_achievements e ON e.player_id = p_player AND e.achievement_id = a.id
$$;

CREATE FUNCTION public.q_audit(p_key_hash bytea, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.q_board(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint, p_place bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind, 'period', coalesce((SELECT period FROM boards WHERE id = v_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, p_score, p_after, p_limit);
    RETURN QUERY
    SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, v_board, v_players, v_scores,
                     ARRAY(SELECT coalesce(p_place, 0) + n FROM generate_series(1, cardinality(v_players)) n)) l;
END $$;

CREATE FUNCTION public.q_board_around(p_reader bigint, p_variant text, p_kind text, p_period text) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_score   bigint := (SELECT score FROM board_entries WHERE board_id = v_board AND player_id = p_reader);
    v_place   bigint := CASE WHEN v_score IS NOT NULL THEN board_place(v_board, v_score, p_reader) END;
    v_n       bigint := setting_int('board_around');
    v_before  bigint[];
    v_players bigint[];
    v_scores  bigint[];
    v_above   bigint[];
BEGIN
    IF v_place IS NOT NULL THEN
        SELECT array_agg(player_id ORDER BY score DESC, player_id), array_agg(score ORDER BY score DESC, player_id)
        INTO v_before, v_above
        FROM (SELECT player_id, score FROM board_entries WHERE board_id = v_board AND (score, -player_id) > (v_score, -p_reader)
              ORDER BY score, (-player_id) LIMIT v_n) a;
        SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, v_score, p_reader, v_n);
        v_players := coalesce(v_before, '{}') || p_reader || v_players;
        v_scores := coalesce(v_above, '{}') || v_score || v_scores;
    END IF;
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), json_build_object('place', v_place, 'items', coalesce((
        SELECT json_agg(l.body ORDER BY l.place)
        FROM board_lines(p_reader, v_board, v_players, v_scores,
                         ARRAY(SELECT v_place - coalesce(cardinality(v_before), 0) - 1 + n
                               FROM generate_series(1, cardinality(v_players)) n)) l), '[]'))::text;
END $$;

CREATE FUNCTION public.q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint, p_place bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind, 'period', coalesce((SELECT period FROM boards WHERE id = v_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    SELECT players, scores INTO v_players, v_scores FROM board_of_friends(v_board, p_reader, p_score, p_after, p_limit);
    RETURN QUERY
    SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, v_board, v_players, v_scores, NULL) l;
END $$;

CREATE FUNCTION public.q_bonus(p_player bigint, p_at timestamp with time zone) RETURNS TABLE(due boolean, streak integer, played_today boolean, today_amount bigint, today_lost bigint, tomorrow_amount bigint, tomorrow_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    SELECT d.bonus_day < t.today, greatest(streak_before(d, t.today), streak_before(d, t.today + 1)),
           coalesce(d.played_day = t.today, false), b.amount, b.lost,
           daily_amount(streak_before(d, t.today + 1), p.level),
           (t.today + 1)::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone')
    FROM player_days d JOIN players p ON p.id = d.player_id
    CROSS JOIN (SELECT local_day(p_at) AS today) t
    LEFT JOIN LATERAL (
        SELECT sum(o.amount) FILTER (WHERE o.reason = 'daily')::bigint AS amount,
               coalesce(-sum(o.amount) FILTER (WHERE o.reason = 'over_cap'), 0)::bigint AS lost
        FROM transfers f JOIN postings o ON o.transfer_id = f.id
        WHERE f.key = 'daily:' || p_player || ':' || t.today AND o.account_id = account_purse(p_player, 'silver')) b
        ON b.amount IS NOT NULL
    WHERE d.player_id = p_player
$$;

CREATE FUNCTION public.q_friends(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
                   'state', CASE WHEN f.accepted_at IS NOT NULL THEN 'friends' WHEN f.from_id = p_player THEN 'asked' ELSE 'asks' END)
                   ORDER BY f.accepted_at IS NULL DESC, p.nickname, p.id)
        FROM friends f JOIN players p ON p.id = CASE WHEN f.from_id = p_player THEN f.to_id ELSE f.from_id END
        JOIN levels l ON l.level = p.level
        WHERE p_player IN (f.from_id, f.to_id)
          AND NOT (f.accepted_at IS NULL AND f.to_id = p_player AND has_blocked(p_player, f.from_id))), '[]'))::text
$$;

CREATE FUNCTION public.q_friends_here(p_here bigint[], p_shown_max integer) RETURNS TABLE(player_id bigint, body text)
    LANGUAGE sql STABLE
    AS $$
    WITH here AS (SELECT unnest(p_here) AS id),
    pairs AS (
        SELECT h.id AS player, f.to_id AS friend FROM here h JOIN friends f ON f.from_id = h.id WHERE f.accepted_at IS NOT NULL
        UNION ALL
        SELECT h.id, f.from_id FROM here h JOIN friends f ON f.to_id = h.id WHERE f.accepted_at IS NOT NULL),
    about AS (
        SELECT p.player, n.nickname, n.avatar, p.friend, coalesce(t.state, 'lobby') AS state, t.table_id,
               row_number() OVER (PARTITION BY p.player ORDER BY t.state IS NULL, n.nickname, p.friend) AS n
        FROM pairs p JOIN players n ON n.id = p.friend LEFT JOIN here h ON h.id = p.friend
        LEFT JOIN LATERAL (
            SELECT t.state, CASE WHEN t.visibility <> 'private' THEN t.id END AS table_id
            FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player_id = p.friend AND s.live
            ORDER BY t.visibility = 'private', t.state = 'playing' DESC, t.id DESC LIMIT 1) t ON true
        WHERE (h.id IS NOT NULL OR t.state IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM player_bars b WHERE b.blocked
                          AND ((b.player_id = p.player AND b.other_id = p.friend) OR (b.player_id = p.friend AND b.other_id = p.player))))
    SELECT player, json_agg(json_build_object('player_id', friend::text, 'nickname', nickname, 'avatar', avatar, 'state', state,
                                              'table_id', table_id::text) ORDER BY n)::text
    FROM about WHERE n <= p_shown_max GROUP BY player
$$;

CREATE FUNCTION public.q_job_list(p_key_hash bytea) RETURNS TABLE(code text, body text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.q_jobs(p_at timestamp with time zone) RETURNS TABLE(job text, about text, every_s bigint, done_at timestamp with time zone, overdue boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT job, about, every_s, done_at,
           coalesce(done_at, since) + make_interval(secs => every_s + grace_s) < p_at
               OR coalesce(done_at > p_at + make_interval(secs => setting_int('clock_back_max_s')), false)
    FROM jobs ORDER BY job
$$;

CREATE FUNCTION public.q_league_table(p_player bigint, p_league text, p_score bigint, p_after bigint, p_place bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_season seasons;
    v_league leagues;
    v_board  integer;
BEGIN
    SELECT * INTO v_league FROM leagues WHERE id = p_league;
    SELECT * INTO STRICT v_season FROM seasons WHERE state IN ('opening', 'open', 'closing');
    SELECT id INTO v_board FROM boards
    WHERE kind = 'league' AND variant = 'rummy51' AND period = v_season.no || ':' || v_league.position;
    RETURN QUERY SELECT CASE WHEN v_league.id IS NULL THEN 'no_such_league' ELSE 'ok' END,
                        jsonb_build_object('league', v_league.id, 'season', v_season.no)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar,
                                    'title', v.title, 'games', r.games, 'wins', r.wins, 'rating', r.rating,
                                    'ranked', e.score >= 1::bigint << 60, 'own', e.player_id = p_player)::text,
           e.score, e.player_id, e.place
    FROM (SELECT o.player_id, o.score,
                 coalesce(p_place, 0) + row_number() OVER (ORDER BY o.score DESC, (-o.player_id) DESC) AS place
          FROM board_entries o
          WHERE o.board_id = v_board AND (o.score, -o.player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_after, 0))
          ORDER BY o.score DESC, (-o.player_id) DESC LIMIT p_limit) e
    JOIN players p ON p.id = e.player_id JOIN levels v ON v.level = p.level
    JOIN league_rows r ON r.season_no = v_season.no AND r.player_id = e.player_id
    ORDER BY e.place;
END $$;

CREATE FUNCTION public.q_leagues(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'ok', jsonb_build_object(
        'season', jsonb_build_object('number', s.no, 'starts_at', rfc3339(s.starts_at), 'ends_at', rfc3339(s.ends_at),
                                     'closing', s.state = 'closing', 'games_min', setting_int('season_games_min')),
        'own', (SELECT jsonb_build_object('league', l.id, 'games', coalesce(r.games, 0), 'wins', coalesce(r.wins, 0),
                                          'rating', r.rating,
                                          'place', board_place(b.id, e.score, p_player))
                FROM league_members m JOIN leagues l ON l.position = m.position
                LEFT JOIN league_rows r ON r.season_no = s.no AND r.player_id = m.player_id AND r.position = m.position
                LEFT JOIN boards b ON b.kind = 'league' AND b.variant = 'rummy51' AND b.period = s.no || ':' || m.position
                LEFT JOIN board_entries e ON e.board_id = b.id AND e.player_id = m.player_id
                WHERE m.player_id = p_player),
        'items', (SELECT jsonb_agg(jsonb_build_object(
                      'id', l.id, 'name', l.name, 'open', l.open, 'room', l.id,
                      'promote_rating', l.promote_rating, 'promote_places', l.promote_places,
                      'relegate_rating', l.relegate_rating, 'relegate_places', l.relegate_places,
                      'prizes', (SELECT jsonb_agg(gold ORDER BY place) FROM league_prizes z WHERE z.league_id = l.id))
                      ORDER BY l.position) FROM leagues l))::text
    FROM seasons s, players p
    WHERE s.state IN ('opening', 'open', 'closing') AND p.id = p_player AND p.deleted_at IS NULL
$$;

CREATE FUNCTION public.q_ledger_check() RETURNS TABLE(problem text, subject text, detail text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'unbalanced_transfer', 'transfer ' || p.transfer_id, 'sum ' || sum(p.amount) || ' ' || a.currency
    FROM postings p JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency HAVING sum(p.amount) <> 0
    UNION ALL
    SELECT 'transfer_without_postings', 'transfer ' || t.id, t.key
    FROM transfers t WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.transfer_id = t.id)
    UNION ALL
    SELECT 'balance_differs', 'account ' || a.id,
           'stored ' || a.balance || ', postings ' || coalesce(s.total, 0)
    FROM accounts a LEFT JOIN (SELECT account_id, sum(amount) AS total FROM postings GROUP BY account_id) s
         ON s.account_id = a.id
    WHERE a.kind <> 'house' AND a.balance <> coalesce(s.total, 0)
    UNION ALL
    SELECT 'balance_after_differs', 'posting ' || p.id, 'stored ' || coalesce(p.balance_after::text, 'none') || ', sum ' || p.total
    FROM (SELECT q.id, q.balance_after, sum(q.amount) OVER (PARTITION BY q.account_id ORDER BY q.id) AS total
          FROM postings q JOIN accounts b ON b.id = q.account_id WHERE b.kind <> 'house') p
    WHERE p.balance_after IS DISTINCT FROM p.total
    UNION ALL
    SELECT 'negative_balance', 'account ' || a.id, a.balance::text
    FROM accounts a WHERE a.balance < 0
    UNION ALL
    SELECT 'hold_without_live_table', 'account ' || a.id, 'table ' || a.table_id || ' holds ' || a.balance || ' ' || a.currency
    FROM accounts a JOIN tables t ON t.id = a.table_id
    WHERE a.kind = 'hold' AND a.balance <> 0 AND (t.state NOT IN ('waiting', 'playing')
          OR NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = a.table_id AND s.player_id = a.player_id))
    UNION ALL
    SELECT 'seat_without_hold', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || x.stake || ' ' || x.currency || ', held ' || coalesce(a.balance, 0)
    FROM seats s JOIN tables t ON t.id = s.table_id
    CROSS JOIN LATERAL (VALUES ('silver', s.stake_silver), ('gold', s.stake_gold)) AS x (currency, stake)
    LEFT JOIN accounts a ON a.kind = 'hold' AND a.table_id = s.table_id AND a.player_id = s.player_id
                         AND a.currency = x.currency
    WHERE t.state IN ('waiting', 'playing') AND s.player_id IS NOT NULL AND x.stake <> coalesce(a.balance, 0)
    UNION ALL
    SELECT 'seat_stake_differs', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || s.stake_silver + s.stake_gold || ', of the table ' || t.stake
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE t.state IN ('waiting', 'playing') AND s.player_id IS NOT NULL
      AND s.stake_silver + s.stake_gold <> CASE WHEN t.practice THEN 0 ELSE t.stake END
    UNION ALL
    SELECT 'seat_live_differs', 'table ' || t.id || ' seat ' || s.seat, 'table is ' || t.state
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE s.live <> (t.state IN ('waiting', 'playing'))
    UNION ALL
    SELECT 'player_without_purse', 'player ' || p.id, c.currency
    FROM players p CROSS JOIN (VALUES ('silver'), ('gold')) AS c (currency)
    WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.kind = 'purse' AND a.player_id = p.id AND a.currency = c.currency)
    UNION ALL
    SELECT 'double_cause', 'key ' || t.key, count(*) || ' transfers'
    FROM transfers t GROUP BY t.key HAVING count(*) > 1
    UNION ALL
    SELECT 'double_cause', 'table ' || t.table_id, 'settled ' || count(*) || ' times'
    FROM transfers t WHERE t.cause = 'settle' GROUP BY t.table_id HAVING count(*) > 1
    UNION ALL
    SELECT 'posting_without_transfer', 'posting ' || p.id, 'transfer ' || p.transfer_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = p.transfer_id)
    UNION ALL
    SELECT 'posting_without_account', 'posting ' || p.id, 'account ' || p.account_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.account_id)
    ORDER BY 1, 2
$$;

CREATE FUNCTION public.q_limits(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'ok', limits_json(id)::text FROM players WHERE id = p_player AND deleted_at IS NULL
$$;

CREATE FUNCTION public.q_lobby(p_tables_max integer) RETURNS TABLE(kind text, id text, people bigint, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT * FROM (
        SELECT 'room', r.id, coalesce(t.people, 0)::bigint,
               json_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats', r.seats_n, 'stake', r.stake,
                   'reward', r.reward, 'level_required', l.level_from, 'open', r.open, 'bots', r.bots,
                   'people', coalesce(t.people, 0), 'tables', coalesce(t.tables, 0))::text
        FROM rooms r JOIN titles l ON l.name = r.title
        LEFT JOIN (SELECT room_id, count(*) AS tables, sum(people_n) AS people FROM tables
                   WHERE state IN ('waiting', 'playing') GROUP BY room_id) t ON t.room_id = r.id
        ORDER BY r.position) rooms
    UNION ALL
    SELECT * FROM (
        SELECT 'table', t.id::text, NULL::bigint,
               json_build_object('id', t.id::text, 'room', t.room_id, 'variant', t.variant, 'state', t.state,
                   'seats', t.seats_n, 'people', t.people_n, 'bots', t.bots_n, 'stake', t.stake, 'options', t.options,
                   'watch', t.watch_delay_ms IS NOT NULL)::text
        FROM tables t WHERE t.state IN ('waiting', 'playing') AND t.visibility <> 'private'
        ORDER BY t.state = 'waiting' DESC, t.id DESC LIMIT p_tables_max) tables
$$;

CREATE FUNCTION public.q_login(p_email text, p_address text) RETURNS TABLE(code text, player_id bigint, role text, password_hash text, retry_s integer)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_window  interval := make_interval(secs => setting_int('login_window_s'));
    v_account bigint;
    v_address bigint;
    v_since   timestamptz;
BEGIN
    SELECT count(*) FILTER (WHERE subject = 'account:' || lower(p_email)),
           count(*) FILTER (WHERE subject = 'address:' || p_address), min(at)
    INTO v_account, v_address, v_since
    FROM login_failures
    WHERE subject IN ('account:' || lower(p_email), 'address:' || p_address) AND at > now() - v_window;
    IF v_account >= setting_int('login_failures_account_max')
       OR v_address >= setting_int('login_failures_address_max') THEN
        RETURN QUERY SELECT CASE WHEN v_account >= setting_int('login_failures_account_max')
                                 THEN 'account_locked' ELSE 'address_locked' END,
                            NULL::bigint, NULL::text, NULL::text,
                            greatest(1, ceil(extract(epoch FROM v_since + v_window - now())))::integer;
        RETURN;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role, c.password_hash, 0
                 FROM credentials c JOIN players p ON p.id = c.player_id
                 WHERE c.email = lower(p_email) AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_account', NULL::bigint, NULL::text, NULL::text, 0;
    END IF;
END $$;

CREATE FUNCTION public.q_me(p_player bigint) RETURNS TABLE(id bigint, nickname text, avatar text, kind text, level integer, title text, clover_points bigint, level_points bigint, level_points_needed bigint, rating integer, rating_games bigint, created_at bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT p.id, p.nickname, p.avatar, p.kind, p.level, l.title, p.clover_points, p.level_points, l.points_needed,
           r.rating, coalesce(r.games, 0), (extract(epoch FROM p.created_at) * 1000)::bigint
    FROM players p
    JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = p.id AND r.variant = 'rummy51' AND r.period = 'all'
    WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

CREATE FUNCTION public.q_my_seasons(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE(id bigint, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT r.season_no::bigint, jsonb_build_object(
        'season', r.season_no, 'ended_at', rfc3339(s.ends_at), 'league', l.id, 'place', r.place, 'games', r.games,
        'rating', r.rating, 'to_league', t.id, 'reason', r.reason, 'said', r.said, 'prize_gold', r.prize_gold)::text
    FROM season_results r JOIN seasons s ON s.no = r.season_no JOIN leagues l ON l.position = r.position
    LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.player_id = p_player AND r.season_no < p_before AND s.state = 'ended'
    ORDER BY r.season_no DESC LIMIT p_limit
$$;

CREATE FUNCTION public.q_notifications(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE(id bigint, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT id, jsonb_build_object('id', id::text, 'at', rfc3339(at), 'kind', kind, 'data', data, 'read', read_at IS NOT NULL)::text
    FROM notifications WHERE player_id = p_player AND id < p_before ORDER BY id DESC LIMIT p_limit
$$;

CREATE FUNCTION public.q_player(p_player bigint) RETURNS TABLE(code text, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN p.id IS NULL THEN 'player_unknown' ELSE 'ok' END, jsonb_build_object(
        'id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'kind', p.kind, 'level', p.level, 'title', l.title,
        'clover_points', p.clover_points, 'created_at', rfc3339(p.created_at),
        'league', (SELECT g.id FROM league_members m JOIN leagues g ON g.position = m.position WHERE m.player_id = p.id),
        'achievements', coalesce((SELECT jsonb_agg(e.achievement_id ORDER BY a.position) FROM player_achievements e
                                  JOIN achievements a ON a.id = e.achievement_id WHERE e.player_id = p.id), '[]'),
        'streak_days', coalesce((SELECT greatest(streak_before(d, local_day(now())), streak_before(d, local_day(now()) + 1))
                                 FROM player_days d WHERE d.player_id = p.id), 0),
        'variants', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'variant', s.variant, 'games', s.games, 'rated', s.rated, 'wins', s.wins, 'opened', s.opened, 'rummies', s.rummies,
                'places', to_jsonb(s.places), 'points_average', CASE WHEN s.rated > 0 THEN round(s.points::numeric / s.rated, 1) END,
                'win_streak', s.streak, 'win_streak_best', s.streak_best, 'rating', r.rating) ORDER BY s.games DESC, s.variant)
            FROM player_stats s LEFT JOIN ratings r ON (r.player_id, r.variant, r.period) = (s.player_id, s.variant, 'all')
            WHERE s.player_id = p.id), '[]'),
        'last_games', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'id', g.id::text, 'variant', g.variant, 'room', g.room_id, 'ended_at', rfc3339(g.ended_at), 'place', o.place,
                'won', o.won, 'rated', g.rated, 'record', '/v1/games/' || g.id || '/record') ORDER BY g.id DESC)
            FROM (SELECT * FROM game_players h WHERE h.player_id = p.id ORDER BY h.game_id DESC LIMIT 10) o
            JOIN games g ON g.id = o.game_id), '[]'))::text
    FROM (SELECT 1) one LEFT JOIN players p ON p.id = p_player AND p.deleted_at IS NULL LEFT JOIN levels l ON l.level = p.level
$$;

CREATE FUNCTION public.q_ratings_check() RETURNS TABLE(problem text, subject text, detail text)
    LANGUAGE sql STABLE
    AS $$
    WITH made AS (
        SELECT p.player_id, g.variant, x.period, count(*) AS games, sum(p.game_points)::bigint AS points,
               count(*) FILTER (WHERE p.won) AS wins, count(*) FILTER (WHERE p.rummy) AS rummies, sum(p.clover)::bigint AS clover
        FROM game_players p JOIN games g ON g.id = p.game_id
        CROSS JOIN LATERAL (VALUES ('all'), (to_char(g.ended_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'), 'YYYY-MM'))) AS x (period)
        WHERE g.rated AND p.player_id IS NOT NULL
        GROUP BY 1, 2, 3
    ), clover AS (
        SELECT player_id, sum(clover)::bigint AS clover FROM game_players WHERE player_id IS NOT NULL GROUP BY 1
    ), climbed AS (
        SELECT level, coalesce(sum(points_needed) OVER (ORDER BY level ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS from_points
        FROM levels
    ), ranked AS (
        SELECT b.id AS board_id, r.player_id, board_score(b.kind, r) AS score
        FROM ratings r JOIN boards b ON b.variant = r.variant AND b.period = r.period AND b.kind <> 'league'
        WHERE CASE b.kind WHEN 'rating' THEN r.games >= (SELECT setting_int('rating_games_min')) ELSE board_score(b.kind, r) > 0 END
    )
    SELECT 'rating_differs', 'player ' || coalesce(r.player_id, m.player_id) || ' ' || coalesce(r.variant, m.variant) || ' ' || coalesce(r.period, m.period),
           'stored ' || coalesce(r.points || ' in ' || r.games, 'nothing') || ', games give ' || coalesce(m.points || ' in ' || m.games, 'nothing')
    FROM made m FULL JOIN ratings r ON (r.player_id, r.variant, r.period) = (m.player_id, m.variant, m.period)
    WHERE (r.games, r.points, r.wins, r.rummies, r.clover, r.rating)
          IS DISTINCT FROM (m.games, m.points, m.wins, m.rummies, m.clover, m.points * (SELECT setting_int('rating_scale')) / (m.games * (SELECT setting_int('game_points_max'))))
    UNION ALL
    SELECT 'clover_differs', 'player ' || p.id, 'stored ' || p.clover_points || ', games give ' || coalesce(c.clover, 0)
    FROM players p LEFT JOIN clover c ON c.player_id = p.id WHERE p.clover_points <> coalesce(c.clover, 0)
    UNION ALL
    SELECT 'level_differs', 'player ' || p.id, 'stored ' || p.level || ' and ' || p.level_points || ', points give '
           || l.level || ' and ' || p.clover_points - l.from_points
    FROM players p CROSS JOIN LATERAL (SELECT * FROM climbed c WHERE c.from_points <= p.clover_points
                                       ORDER BY c.level DESC LIMIT 1) l
    WHERE (p.level, p.level_points) <> (l.level, p.clover_points - l.from_points)
    UNION ALL
    SELECT 'board_differs', 'board ' || coalesce(e.board_id, k.board_id) || ' player ' || coalesce(e.player_id, k.player_id),
           'stored ' || coalesce(e.score::text, 'nothing') || ', ratings give ' || coalesce(k.score::text, 'nothing')
    FROM ranked k FULL JOIN (SELECT o.* FROM board_entries o JOIN boards b ON b.id = o.board_id WHERE b.kind <> 'league') e
         ON (e.board_id, e.player_id) = (k.board_id, k.player_id)
    WHERE e.score IS DISTINCT FROM k.score
    ORDER BY 1, 2
$$;

CREATE FUNCTION public.q_season_preview(p_key_hash bytea, p_position bigint, p_score bigint, p_player bigint, p_limit bigint) RETURNS TABLE(code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_code   text;
    v_no     integer;
    v_ends   timestamptz;
    v_left   bigint := p_limit;
    v_league leagues;
    v_ranked bigint;
    v_place  bigint;
    v_score  bigint := p_score;
    v_player bigint := coalesce(p_player, 0);
    v_n      bigint;
    d        record;
    v_piece  bigint := setting_int('job_batch');
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'read:season_preview', '{}') e;
    SELECT no, ends_at INTO v_no, v_ends FROM seasons WHERE state IN ('opening', 'open');
    IF v_code = 'ok' AND v_no IS NULL THEN
        v_code := 'season_closing';
    END IF;
    RETURN QUERY SELECT v_code, jsonb_build_object('season', v_no, 'ends_at', rfc3339(v_ends))::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code <> 'ok' THEN
        RETURN;
    END IF;
    FOR v_league IN SELECT * FROM leagues WHERE position >= coalesce(p_position, 1) AND coalesce(p_position, 1) > 0
                    ORDER BY position LOOP
        v_ranked := league_ranked_n(v_no, v_league.position);
        v_place := CASE WHEN v_score IS NULL THEN 0
                        ELSE board_place(league_board(v_no, v_league.position), v_score, v_player) END;
        LOOP
            v_n := 0;
            FOR d IN SELECT * FROM league_decisions(v_no, v_league.position, v_ranked, v_place, v_score, v_player, v_piece, true) LOOP
                v_n := v_n + 1;
                v_score := d.score;
                v_player := d.player_id;
                v_place := d.place;
                CONTINUE WHEN d.reason = 'stays';
                v_left := v_left - 1;
                RETURN QUERY SELECT 'ok', jsonb_build_object(
                    'player_id', d.player_id::text, 'league', v_league.id, 'place', d.place, 'games', d.games, 'rating', d.rating,
                    'to_league', (SELECT l.id FROM leagues l WHERE l.position = d.to_position), 'reason', d.reason,
                    'said', d.said)::text, v_league.position::bigint, d.score, d.player_id;
                IF v_left = 0 THEN
                    RETURN;
                END IF;
            END LOOP;
            EXIT WHEN v_n < v_piece;
        END LOOP;
        v_score := NULL;
        v_player := 0;
    END LOOP;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'player_id', a.player_id::text, 'league', l.id, 'place', NULL, 'games', 0, 'rating', NULL,
               'to_league', t.id, 'reason', 'inactive', 'said', a.said)::text, 0::bigint, 0::bigint, a.player_id
    FROM absent_decisions(v_no, CASE WHEN p_position = 0 THEN p_player ELSE 0 END, v_left) a
    JOIN leagues l ON l.position = a."position" LEFT JOIN leagues t ON t.position = a.to_position
    ORDER BY a.player_id;
END $$;

CREATE FUNCTION public.q_seats(p_table bigint) RETURNS TABLE(seat smallint, player_id bigint, bot_level smallint, nickname text, avatar text, client_seed bytea, stake_silver bigint, stake_gold bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT seat, player_id, bot_level, nickname, avatar, client_seed, stake_silver, stake_gold
    FROM seats WHERE table_id = p_table ORDER BY seat
$$;

CREATE FUNCTION public.q_settled(p_table bigint, p_code text) RETURNS TABLE(code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer, game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint, level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT p_code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover, p.silver, p.gold,
           p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating, g.rated, g.practice
    FROM games g JOIN game_players p ON p.game_id = g.id
    WHERE g.table_id = p_table
    ORDER BY p.seat
$$;

CREATE FUNCTION public.q_shop_check() RETURNS TABLE(problem text, subject text, detail text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'order_differs', 'order ' || o.id, w.wrong
    FROM shop_orders o CROSS JOIN LATERAL (SELECT shop_order_wrong(o.id) AS wrong) w WHERE w.wrong IS NOT NULL
    UNION ALL
    SELECT 'shop_transfer_without_order', 'transfer ' || t.id, t.key
    FROM transfers t WHERE t.cause IN ('shop', 'shop_back') AND NOT EXISTS (SELECT 1 FROM shop_moves m WHERE m.transfer_id = t.id)
    ORDER BY 1, 2
$$;

CREATE FUNCTION public.q_shop_order(p_player bigint, p_order bigint) RETURNS TABLE(code text, body text, due boolean, provider text)
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(x.code, 'no_such_order'), x.body, x.due, x.provider
    FROM (VALUES (1)) one LEFT JOIN (
        SELECT 'ok' AS code, shop_order_json(o)::text AS body, o.provider,
               o.state = 'pending' AND coalesce(o.asked_at, o.created_at) <= now() - make_interval(secs => setting_int('shop_look_s')) AS due
        FROM shop_orders o WHERE o.id = p_order AND o.player_id = p_player) x ON true
$$;

CREATE FUNCTION public.q_shop_orders(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE(id bigint, body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT o.id, shop_order_json(o)::text FROM shop_orders o
    WHERE o.player_id = p_player AND o.id < p_before ORDER BY o.id DESC LIMIT p_limit
$$;

CREATE FUNCTION public.q_shop_packs() RETURNS TABLE(body text)
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'gold', gold, 'amount', price_minor,
                                                 'currency', currency) ORDER BY position), '[]')::text
    FROM shop_packs WHERE on_sale
$$;

CREATE FUNCTION public.rating_bands(p_player bigint, p_table public.tables) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_middle bigint := setting_int('rating_scale') / 2;
    v_own    bigint := (SELECT r.rating FROM ratings r
                        WHERE r.player_id = p_player AND r.variant = p_table.variant AND r.period = 'all');
    v_others bigint := (SELECT avg(coalesce(r.rating, v_middle))::bigint FROM seats s
                        LEFT JOIN ratings r ON r.player_id = s.player_id AND r.variant = p_table.variant AND r.period = 'all'
                        WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL);
BEGIN
    RETURN abs(coalesce(v_own, v_middle) - coalesce(v_others, v_middle)) / setting_int('rating_band');
END $$;

CREATE FUNCTION public.rating_of(p_points bigint, p_games bigint) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_points * setting_int('rating_scale') / (p_games * setting_int('game_points_max')))::integer);
END $$;

CREATE FUNCTION public.ratings_rank() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_kind   text;
    v_boards integer[] := '{}';
    v_scores bigint[] := '{}';
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['rating', 'clover', 'wins', 'rummies'] LOOP
        IF (CASE v_kind WHEN 'rating' THEN NEW.games >= setting_int('rating_games_min') ELSE board_score(v_kind, NEW) > 0 END)
           AND (TG_OP = 'INSERT' OR board_score(v_kind, NEW) <> board_score(v_kind, OLD)) THEN
            v_boards := v_boards || board_of(v_kind, NEW.variant, NEW.period);
            v_scores := v_scores || board_score(v_kind, NEW);
        END IF;
    END LOOP;
    IF cardinality(v_boards) > 0 THEN
        INSERT INTO board_entries AS e (board_id, player_id, score)
        SELECT u.board_id, NEW.player_id, u.score FROM unnest(v_boards, v_scores) u (board_id, score)
        ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
    END IF;
    RETURN NULL;
END $$;

CREATE TABLE public.seats (
    table_id bigint NOT NULL,
    seat smallint NOT NULL,
    player_id bigint,
    bot_level smallint,
    nickname text NOT NULL,
    avatar text DEFAULT ''::text NOT NULL,
    client_seed bytea DEFAULT '\x'::bytea NOT NULL,
    stake_silver bigint DEFAULT 0 NOT NULL,
    stake_gold bigint DEFAULT 0 NOT NULL,
    take integer DEFAULT 0 NOT NULL,
    taken_at timestamp with time zone DEFAULT now() NOT NULL,
    live boolean DEFAULT true NOT NULL,
    CONSTRAINT seats_bot_level_check CHECK (((bot_level >= 1) AND (bot_level <= 3))),
    CONSTRAINT seats_check CHECK (((player_id IS NULL) = (bot_level IS NOT NULL))),
    CONSTRAINT seats_client_seed_check CHECK (((octet_length(client_seed) = 0) OR ((octet_length(client_seed) >= 16) AND (octet_length(client_seed) <= 32)))),
    CONSTRAINT seats_seat_check CHECK (((seat >= 0) AND (seat <= 5))),
    CONSTRAINT seats_stake_gold_check CHECK ((stake_gold >= 0)),
    CONSTRAINT seats_stake_silver_check CHECK ((stake_silver >= 0))
);

CREATE FUNCTION public.refund_stake(p_seat public.seats, p_note text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_seat.stake_silver + p_seat.stake_gold = 0 THEN
        RETURN;
    END IF;
    PERFORM ledger_post('refund', 'refund:table:' || p_seat.table_id || ':take:' || p_seat.take, p_seat.table_id, p_note,
        ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_seat.stake_silver, 'refund'),
            ROW(account_purse(p_seat.player_id, 'silver'), p_seat.stake_silver, 'refund'),
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_seat.stake_gold, 'refund'),
            ROW(account_purse(p_seat.player_id, 'gold'), p_seat.stake_gold, 'refund')]::ledger_leg[]);
END $$;

CREATE TABLE public.reports (
    id bigint NOT NULL,
    reporter_id bigint NOT NULL,
    reported_id bigint NOT NULL,
    table_id bigint NOT NULL,
    reason text NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    closed_by bigint,
    note text,
    CONSTRAINT reports_check CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
    CONSTRAINT reports_check1 CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (note IS NULL)))),
    CONSTRAINT reports_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 200))),
    CONSTRAINT reports_reason_check CHECK ((reason = ANY (ARRAY['insult'::text, 'cheating'::text, 'stalling'::text, 'name'::text, 'other'::text]))),
    CONSTRAINT reports_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT reports_text_check CHECK ((char_length(text) <= 500))
);

CREATE FUNCTION public.report_chat(p_report public.reports) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('at', rfc3339(c.at), 'kind', c.kind, 'text', c.text) ORDER BY c.id), '[]')
    FROM (SELECT * FROM table_chat t WHERE t.table_id = p_report.table_id AND t.player_id = p_report.reported_id
          ORDER BY t.id DESC LIMIT setting_int('report_chat_lines')) c
$$;

CREATE FUNCTION public.report_json(p_report public.reports) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object('id', p_report.id::text, 'at', rfc3339(p_report.at), 'table_id', p_report.table_id::text,
        'reason', p_report.reason, 'text', p_report.text, 'state', p_report.state, 'note', p_report.note,
        'closed_at', rfc3339(p_report.closed_at),
        'reporter', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reporter_id),
        'reported', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reported_id),
        'open_of_player', (SELECT count(*) FROM reports r WHERE r.reported_id = p_report.reported_id AND r.state = 'open'),
        'chat', report_chat(p_report))
$$;

CREATE FUNCTION public.rfc3339(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE TABLE public.seasons (
    no integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    state text DEFAULT 'coming'::text NOT NULL,
    step text DEFAULT ''::text NOT NULL,
    at_position smallint,
    at_place bigint DEFAULT 0 NOT NULL,
    at_score bigint,
    at_player bigint DEFAULT 0 NOT NULL,
    ranked_n bigint,
    CONSTRAINT seasons_check CHECK ((ends_at > starts_at)),
    CONSTRAINT seasons_no_check CHECK ((no > 0)),
    CONSTRAINT seasons_state_check CHECK ((state = ANY (ARRAY['coming'::text, 'opening'::text, 'open'::text, 'closing'::text, 'ended'::text]))),
    CONSTRAINT seasons_step_check CHECK ((step = ANY (ARRAY[''::text, 'rank'::text, 'absent'::text, 'prizes'::text, 'finish'::text])))
);

CREATE FUNCTION public.season_absent(s public.seasons) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET work_mem TO '32MB'
    AS $$
DECLARE
    v_limit  bigint := setting_int('season_batch');
    v_n      bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM absent_decisions(s.no, s.at_player, v_limit)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, games, to_position, reason, said)
        SELECT s.no, player_id, "position", 0, to_position, 'inactive', said FROM decided
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM decided d WHERE m.player_id = d.player_id AND d.to_position IS NOT NULL
    ), gone AS (
        DELETE FROM league_members m USING decided d WHERE m.player_id = d.player_id AND d.to_position IS NULL
    )
    SELECT count(*), max(player_id) INTO v_n, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_player = v_player WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'prizes' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'absent', v_n, 'moved', v_n);
END $$;

CREATE FUNCTION public.season_close(s public.seasons, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_first integer := (SELECT min(position) FROM leagues);
    v_open  text[] := ARRAY(SELECT leagues_to_open());
BEGIN
    PERFORM lock_seasons(true);
    PERFORM ensure_seasons(p_at);
    UPDATE leagues SET open = true WHERE id = ANY (v_open);
    UPDATE seasons SET state = 'closing', step = 'rank', at_position = v_first, at_place = 0, at_score = NULL, at_player = 0,
                       ranked_n = league_ranked_n(s.no, v_first)
    WHERE no = s.no;
    RETURN '{}';
END $$;

CREATE FUNCTION public.season_finish(s public.seasons) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM lock_seasons(true);
    UPDATE seasons SET state = 'ended', step = '' WHERE no = s.no;
    UPDATE seasons SET state = 'opening', at_player = 0 WHERE no = s.no + 1;
    RETURN '{"seasons": 1}';
END $$;

CREATE FUNCTION public.season_open(s public.seasons) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_limit   bigint := setting_int('season_open_batch');
    v_players bigint[] := ARRAY(SELECT DISTINCT player_id FROM league_games
                                WHERE season_no = s.no AND player_id > s.at_player ORDER BY player_id LIMIT v_limit);
BEGIN
    PERFORM lock_players(v_players);
    PERFORM make_league_rows(s.no, v_players);
    IF cardinality(v_players) = v_limit THEN
        UPDATE seasons SET at_player = v_players[v_limit] WHERE no = s.no;
    ELSE
        UPDATE seasons SET state = 'open' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('opened', cardinality(v_players));
END $$;

CREATE FUNCTION public.season_prize_tells() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM notify_player(NEW.player_id, 'league_prize', jsonb_build_object(
        'season', NEW.season_no, 'league', (SELECT id FROM leagues WHERE position = NEW.position), 'place', NEW.place,
        'gold', NEW.prize_gold));
    RETURN NULL;
END $$;

CREATE FUNCTION public.season_prizes(s public.seasons) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_row  record;
    v_n    bigint := 0;
    v_gold bigint := 0;
    v_last bigint := (SELECT max(place) FROM league_prizes);
BEGIN
    PERFORM lock_players(ARRAY(SELECT r.player_id FROM season_results r WHERE r.season_no = s.no AND r.place <= v_last));
    FOR v_row IN
        SELECT r.player_id, r.place, l.id, p.gold
        FROM season_results r JOIN leagues l ON l.position = r.position
        JOIN league_prizes p ON p.league_id = l.id AND p.place = r.place
        WHERE r.season_no = s.no AND r.place <= v_last AND r.reason NOT IN ('too_few_games', 'inactive') AND p.gold > 0
        ORDER BY r.player_id LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'league',
                          'league:' || s.no || ':' || v_row.id || ':' || v_row.place, '');
        UPDATE season_results SET prize_gold = v_row.gold WHERE season_no = s.no AND player_id = v_row.player_id;
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    UPDATE seasons SET step = 'finish' WHERE no = s.no;
    RETURN jsonb_build_object('prizes', v_n, 'gold', v_gold);
END $$;

CREATE FUNCTION public.season_rank(s public.seasons) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET work_mem TO '32MB'
    AS $$
DECLARE
    v_limit bigint := setting_int('season_batch');
    v_next  integer := (SELECT min(position) FROM leagues WHERE position > s.at_position);
    v_n     bigint;
    v_moved bigint;
    v_place bigint;
    v_score bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM league_decisions(s.no, s.at_position, s.ranked_n, s.at_place, s.at_score, s.at_player, v_limit, false)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, place, games, rating, to_position, reason, said)
        SELECT s.no, player_id, s.at_position, place, games, rating, to_position, reason, said FROM decided ORDER BY player_id
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM (SELECT * FROM decided ORDER BY player_id) d WHERE m.player_id = d.player_id AND d.to_position <> s.at_position
        RETURNING 1
    )
    SELECT count(*), (SELECT count(*) FROM moved), max(place),
           (array_agg(score ORDER BY place DESC))[1], (array_agg(player_id ORDER BY place DESC))[1]
    INTO v_n, v_moved, v_place, v_score, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_place = v_place, at_score = v_score, at_player = v_player WHERE no = s.no;
    ELSIF v_next IS NOT NULL THEN
        UPDATE seasons SET at_position = v_next, at_place = 0, at_score = NULL, at_player = 0,
                           ranked_n = league_ranked_n(s.no, v_next) WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'absent', at_player = 0 WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'moved', v_moved);
END $$;

CREATE FUNCTION public.season_result_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO counts_due (player_id, counter, n)
    SELECT player_id, x.counter, 1 FROM new_rows r
    CROSS JOIN LATERAL (SELECT 'promotions' WHERE r.reason = 'promoted'
                        UNION ALL SELECT 'league_wins' WHERE r.place = 1 AND r.reason <> 'too_few_games') AS x (counter)
    ORDER BY player_id;
    RETURN NULL;
END $$;

CREATE FUNCTION public.season_result_tells() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data)
    SELECT r.player_id, 'season', jsonb_build_object('season', r.season_no, 'league', l.id, 'to_league', t.id,
                                                     'reason', r.reason, 'said', r.said)
    FROM new_rows r JOIN leagues l ON l.position = r.position LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.to_position <> r.position OR r.reason IN ('room_locked', 'league_closed');
    RETURN NULL;
END $$;

CREATE FUNCTION public.season_rollover_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $$
DECLARE
    s seasons;
    v_result jsonb;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd season step', 0));
    SELECT * INTO STRICT s FROM seasons WHERE state IN ('opening', 'open', 'closing');
    IF s.state = 'open' AND s.ends_at > p_at THEN
        RETURN ROW(false, '{"seasons": 0}')::job_step;
    END IF;
    v_result := CASE WHEN s.state = 'opening' THEN season_open(s)
                     WHEN s.state = 'open' THEN season_close(s, p_at)
                     WHEN s.step = 'rank' THEN season_rank(s)
                     WHEN s.step = 'absent' THEN season_absent(s)
                     WHEN s.step = 'prizes' THEN season_prizes(s)
                     ELSE season_finish(s) END;
    RETURN ROW(true, v_result)::job_step;
END $$;

CREATE FUNCTION public.seat_answer(p_player bigint, p_table public.tables, p_seat smallint, p_ticket uuid) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_expires timestamptz := now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0);
BEGIN
    INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
    VALUES (p_ticket, p_table.id, p_player, p_seat, v_expires);
    RETURN jsonb_build_object('code', 'ok', 'table_id', p_table.id, 'seat', p_seat, 'ticket', p_ticket,
                              'expires_at', v_expires, 'commit', encode(p_table.commit, 'hex'),
                              'node', p_table.node, 'join_code', p_table.code);
END $$;

CREATE FUNCTION public.seat_player(p_player bigint, p_table public.tables) RETURNS smallint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seat   smallint;
    v_take   integer;
    v_silver bigint;
    v_gold   bigint;
    v_purse  bigint := account_purse(p_player, 'silver');
BEGIN
    SELECT min(n) INTO STRICT v_seat FROM unnest('{0,1,2,3,4,5}'::smallint[]) n
    WHERE n < p_table.seats_n AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table.id AND s.seat = n);
    SELECT least(balance, p_table.stake) INTO STRICT v_silver FROM accounts WHERE id = v_purse;
    v_gold := p_table.stake - v_silver;
    UPDATE tables SET people_n = people_n + 1, takes_n = takes_n + 1 WHERE id = p_table.id RETURNING takes_n INTO v_take;
    INSERT INTO seats (table_id, seat, player_id, nickname, avatar, stake_silver, stake_gold, take)
    SELECT p_table.id, v_seat, id, nickname, avatar, v_silver, v_gold, v_take FROM players WHERE id = p_player;
    IF p_table.stake > 0 THEN
        PERFORM ledger_post('stake', 'stake:table:' || p_table.id || ':take:' || v_take, p_table.id, '', ARRAY[
            ROW(v_purse, -v_silver, 'stake'),
            ROW(CASE WHEN v_silver > 0 THEN open_hold(p_table.id, p_player, 'silver') END, v_silver, 'stake'),
            ROW(CASE WHEN v_gold > 0 THEN account_purse(p_player, 'gold') END, -v_gold, 'stake'),
            ROW(CASE WHEN v_gold > 0 THEN open_hold(p_table.id, p_player, 'gold') END, v_gold, 'stake')]::ledger_leg[]);
    END IF;
    RETURN v_seat;
END $$;

CREATE FUNCTION public.seat_refusal(p_player bigint, p_room public.rooms) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_level integer;
BEGIN
    SELECT level INTO v_level FROM players WHERE id = p_player;
    IF v_level < (SELECT level_from FROM titles WHERE name = p_room.title) THEN
        RETURN 'room_locked';
    END IF;
    IF (SELECT count(*) FROM seats WHERE player_id = p_player AND live) >= setting_int('tables_per_player_max') THEN
        RETURN 'too_many_tables';
    END IF;
    IF (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player) < p_room.stake THEN
        RETURN 'no_funds';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.session_answer(p_code text, p_player bigint) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_answer session_answer;
BEGIN
    IF p_code = 'ok' THEN
        PERFORM do_daily_bonus(ARRAY[p_player], now());
        SELECT 'ok', m.* INTO v_answer FROM q_me(p_player) m;
    ELSE
        v_answer.code := p_code;
    END IF;
    RETURN v_answer;
END $$;

CREATE FUNCTION public.set_limit(p_player bigint, p_kind text, p_value bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_now     bigint := limit_of(p_player, p_kind);
    v_tighter boolean := CASE p_kind WHEN 'exclusion' THEN p_value > v_now ELSE p_value < v_now END;
    v_later   boolean := NOT v_tighter AND p_value <> v_now;
BEGIN
    INSERT INTO play_limits AS l (player_id, kind, value, next_value, next_at)
    VALUES (p_player, p_kind, CASE WHEN v_tighter THEN p_value ELSE v_now END, CASE WHEN v_later THEN p_value END,
            CASE WHEN v_later THEN now() + make_interval(secs => setting_int('limit_loosen_s')) END)
    ON CONFLICT (player_id, kind) DO UPDATE
    SET value = EXCLUDED.value, next_value = EXCLUDED.next_value,
        -- who asks again for the same does not wait again
        next_at = CASE WHEN l.next_value = EXCLUDED.next_value AND l.next_at > now() THEN l.next_at ELSE EXCLUDED.next_at END;
END $$;

CREATE FUNCTION public.setting_int(p_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_value bigint;
BEGIN
    SELECT value::bigint INTO v_value FROM settings WHERE name = p_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'setting % is missing', p_name;
    END IF;
    RETURN v_value;
END $$;

CREATE FUNCTION public.settle_chips(p_table public.tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seat     seats;
    v_result   game_players;
    v_legs     ledger_leg[] := '{}';
    v_winner   boolean := EXISTS (SELECT 1 FROM game_players WHERE game_id = p_game AND won);
    v_transfer bigint;
BEGIN
    IF p_table.room_id IS NULL AND v_winner THEN
        v_legs := pot_legs(p_table, p_game);
    END IF;
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL
                  AND (p_table.room_id IS NOT NULL OR NOT v_winner) ORDER BY seat LOOP
        SELECT * INTO STRICT v_result FROM game_players WHERE game_id = p_game AND seat = v_seat.seat;
        v_legs := v_legs || settle_legs(v_seat, CASE WHEN v_result.won THEN 'won'
                                                     WHEN v_winner OR v_result.left_early THEN 'lost' ELSE 'back' END,
                                        p_table.stake, p_table.reward);
    END LOOP;
    IF NOT EXISTS (SELECT 1 FROM unnest(v_legs) l WHERE l.amount <> 0) THEN
        RETURN; -- no stake and no reward
    END IF;
    v_transfer := ledger_post('settle', 'settle:table:' || p_table.id, p_table.id, '', v_legs);
    IF v_transfer IS NULL THEN
        RAISE EXCEPTION 'table % was settled before', p_table.id;
    END IF;
    UPDATE game_players g
    SET silver = coalesce(m.silver, 0) - s.stake_silver, gold = coalesce(m.gold, 0) - s.stake_gold,
        silver_lost = coalesce(m.lost, 0)
    FROM seats s
    LEFT JOIN (SELECT a.player_id, sum(p.amount) FILTER (WHERE a.currency = 'silver') AS silver,
                      sum(p.amount) FILTER (WHERE a.currency = 'gold') AS gold,
                      -sum(p.amount) FILTER (WHERE p.reason = 'over_cap') AS lost
               FROM postings p JOIN accounts a ON a.id = p.account_id
               WHERE p.transfer_id = v_transfer AND a.kind = 'purse'
               GROUP BY a.player_id) m ON m.player_id = s.player_id
    WHERE g.game_id = p_game AND s.table_id = p_table.id AND s.seat = g.seat AND g.player_id IS NOT NULL;
END $$;

CREATE FUNCTION public.settle_legs(p_seat public.seats, p_outcome text, p_stake bigint, p_reward bigint) RETURNS public.ledger_leg[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_lost     boolean := p_outcome = 'lost';
    v_reason   text := CASE WHEN p_outcome = 'lost' THEN 'stake_lost' ELSE 'stake_back' END;
    v_currency text;
    v_stake    bigint;
    v_legs     ledger_leg[] := '{}';
    v_gold     bigint;
BEGIN
    FOREACH v_currency IN ARRAY ARRAY['silver', 'gold'] LOOP
        v_stake := CASE v_currency WHEN 'silver' THEN p_seat.stake_silver ELSE p_seat.stake_gold END;
        CONTINUE WHEN v_stake = 0;
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, v_currency), -v_stake, 'stake'),
            ROW(CASE WHEN v_lost THEN account_house('stake', v_currency) ELSE account_purse(p_seat.player_id, v_currency) END, v_stake, v_reason)
            ]::ledger_leg[];
    END LOOP;
    IF p_outcome = 'won' THEN
        -- Who plays with gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

CREATE FUNCTION public.settle_points(p_game public.games, p_result public.game_players) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_before integer;
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF NOT p_game.practice AND has_own_points(p_game.variant) THEN
        v_clover := clover_of(p_result.game_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated THEN
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, p_result.game_points, p_result.won, p_result.rummy, v_clover);
    END IF;
    UPDATE game_players g
    SET clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

CREATE TABLE public.shop_events (
    provider text NOT NULL,
    event_id text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL,
    order_id bigint,
    payment_ref text,
    subject text,
    amount_minor bigint,
    currency text,
    said_at timestamp with time zone,
    CONSTRAINT shop_events_event_id_check CHECK (((char_length(event_id) >= 1) AND (char_length(event_id) <= 120))),
    CONSTRAINT shop_events_kind_check CHECK ((kind = ANY (ARRAY['paid'::text, 'failed'::text, 'expired'::text, 'refunded'::text, 'refund_failed'::text, 'disputed'::text, 'dispute_won'::text, 'dispute_lost'::text])))
);

CREATE FUNCTION public.shop_apply(p_order bigint, e public.shop_events) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    o shop_orders;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    IF e.payment_ref IS NOT NULL AND o.payment_ref IS NULL THEN
        UPDATE shop_orders SET payment_ref = e.payment_ref WHERE id = o.id;
    END IF;
    IF e.kind = 'paid' AND (e.amount_minor, e.currency) IS DISTINCT FROM (o.price_minor, o.currency) THEN
        INSERT INTO shop_flags (order_id, reason, detail)
        VALUES (o.id, 'amount_differs', format('%s: %s %s instead of %s %s', e.event_id, e.amount_minor, e.currency, o.price_minor, o.currency));
    ELSIF e.kind = 'paid' AND o.paid_at IS NULL THEN
        PERFORM lock_players(ARRAY[o.player_id]);
        UPDATE shop_orders SET state = 'paid', paid_at = now(), why = '' WHERE id = o.id;
        PERFORM shop_post(o, 'paid', o.gold, 'shop:' || o.id || ':paid');
    ELSIF e.kind IN ('failed', 'expired') AND o.state IN ('created', 'pending') THEN
        UPDATE shop_orders SET state = e.kind, why = e.kind WHERE id = o.id;
    ELSIF e.kind = 'refund_failed' THEN
        UPDATE shop_refunds SET state = 'failed', why = 'the money came back' WHERE order_id = o.id AND refund_ref = e.subject AND state = 'done';
        INSERT INTO shop_flags (order_id, reason, detail)
        VALUES (o.id, 'refund_failed', format('%s: %s %s came back', e.subject, e.amount_minor, e.currency));
    END IF;
    IF e.kind IN ('refunded', 'refund_failed') THEN
        UPDATE shop_orders SET refunded_minor = shop_refunded(o.id) WHERE id = o.id;
    END IF;
    PERFORM shop_settle(o.id, e.event_id);
END $$;

CREATE FUNCTION public.shop_dispute(p_order bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN bool_or(d.lost) THEN 'lost' WHEN bool_or(NOT d.won) THEN 'open' WHEN count(*) > 0 THEN 'won' ELSE 'none' END
    FROM (SELECT bool_or(kind = 'dispute_lost') AS lost, bool_or(kind = 'dispute_won') AS won
          FROM shop_events WHERE order_id = p_order AND kind IN ('disputed', 'dispute_won', 'dispute_lost')
          GROUP BY subject) d
$$;

CREATE FUNCTION public.shop_event_forgotten() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF OLD.order_id IS NOT NULL THEN
        RAISE EXCEPTION 'shop: event % belongs to an order', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN OLD;
END $$;

CREATE FUNCTION public.shop_event_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF OLD.order_id IS NOT NULL OR to_jsonb(NEW) - 'order_id' <> to_jsonb(OLD) - 'order_id' THEN
        RAISE EXCEPTION 'shop: event % keeps what it said', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.shop_log_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'shop: the log writes itself' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.shop_order_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'created' OR NEW.refunded_minor + NEW.gold_back + NEW.gold_short <> 0
           OR NEW.provider_ref IS NOT NULL OR NEW.payment_ref IS NOT NULL THEN
            RAISE EXCEPTION 'shop: an order begins as created' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.token, NEW.player_id, NEW.idem_key, NEW.body_hash, NEW.pack_id, NEW.gold, NEW.price_minor, NEW.currency,
        NEW.provider, NEW.created_at, NEW.expires_at)
       IS DISTINCT FROM (OLD.id, OLD.token, OLD.player_id, OLD.idem_key, OLD.body_hash, OLD.pack_id, OLD.gold, OLD.price_minor,
        OLD.currency, OLD.provider, OLD.created_at, OLD.expires_at)
       OR NEW.provider_ref IS DISTINCT FROM coalesce(OLD.provider_ref, NEW.provider_ref)
       OR NEW.payment_ref IS DISTINCT FROM coalesce(OLD.payment_ref, NEW.payment_ref)
       OR NEW.paid_at IS DISTINCT FROM coalesce(OLD.paid_at, NEW.paid_at)
       OR (NEW.refunded_minor < OLD.refunded_minor OR OLD.state = 'refunded' AND NEW.state IN ('paid', 'refunding'))
          AND NOT EXISTS (SELECT 1 FROM shop_events e WHERE e.order_id = OLD.id AND e.kind = 'refund_failed') THEN
        RAISE EXCEPTION 'shop: order % keeps what it was made with', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state
       AND NOT EXISTS (SELECT 1 FROM shop_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'shop: order % does not go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TABLE public.shop_orders (
    id bigint NOT NULL,
    token uuid DEFAULT gen_random_uuid() NOT NULL,
    player_id bigint NOT NULL,
    idem_key text NOT NULL,
    body_hash bytea NOT NULL,
    pack_id text NOT NULL,
    gold bigint NOT NULL,
    price_minor bigint NOT NULL,
    currency text NOT NULL,
    provider text NOT NULL,
    state text DEFAULT 'created'::text NOT NULL,
    provider_ref text,
    pay_url text,
    payment_ref text,
    why text DEFAULT ''::text NOT NULL,
    refunded_minor bigint DEFAULT 0 NOT NULL,
    gold_back bigint DEFAULT 0 NOT NULL,
    gold_short bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    paid_at timestamp with time zone,
    asked_at timestamp with time zone,
    asks integer DEFAULT 0 NOT NULL,
    CONSTRAINT shop_orders_check CHECK (((paid_at IS NOT NULL) = (state = ANY (ARRAY['paid'::text, 'refunding'::text, 'refunded'::text, 'disputed'::text, 'charged_back'::text])))),
    CONSTRAINT shop_orders_check1 CHECK (((state <> 'pending'::text) OR ((provider_ref IS NOT NULL) AND (pay_url IS NOT NULL)))),
    CONSTRAINT shop_orders_check2 CHECK (((gold_back + gold_short) <= gold)),
    CONSTRAINT shop_orders_check3 CHECK (((paid_at IS NOT NULL) OR ((gold_back + gold_short) = 0))),
    CONSTRAINT shop_orders_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
    CONSTRAINT shop_orders_gold_back_check CHECK ((gold_back >= 0)),
    CONSTRAINT shop_orders_gold_check CHECK ((gold > 0)),
    CONSTRAINT shop_orders_gold_short_check CHECK ((gold_short >= 0)),
    CONSTRAINT shop_orders_pay_url_check CHECK (((char_length(pay_url) >= 1) AND (char_length(pay_url) <= 2000))),
    CONSTRAINT shop_orders_payment_ref_check CHECK (((char_length(payment_ref) >= 1) AND (char_length(payment_ref) <= 200))),
    CONSTRAINT shop_orders_price_minor_check CHECK ((price_minor > 0)),
    CONSTRAINT shop_orders_provider_check CHECK ((provider ~ '^[a-z]{1,16}$'::text)),
    CONSTRAINT shop_orders_provider_ref_check CHECK (((char_length(provider_ref) >= 1) AND (char_length(provider_ref) <= 200))),
    CONSTRAINT shop_orders_refunded_minor_check CHECK ((refunded_minor >= 0)),
    CONSTRAINT shop_orders_state_check CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'refunding'::text, 'refunded'::text, 'disputed'::text, 'charged_back'::text])))
);

CREATE FUNCTION public.shop_order_json(o public.shop_orders) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object(
        'id', o.id::text, 'state', o.state, 'pack', o.pack_id, 'gold', o.gold, 'amount', o.price_minor, 'currency', o.currency,
        'provider', o.provider, 'pay_url', CASE WHEN o.state = 'pending' THEN o.pay_url END,
        'created_at', rfc3339(o.created_at), 'expires_at', rfc3339(o.expires_at), 'paid_at', rfc3339(o.paid_at),
        'refunded', o.refunded_minor, 'gold_back', o.gold_back, 'gold_short', o.gold_short,
        'why', nullif(o.why, ''))
$$;

CREATE FUNCTION public.shop_order_logged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO shop_order_log (order_id, to_state, why) VALUES (NEW.id, NEW.state, NEW.why);
    ELSIF NEW.state <> OLD.state THEN
        INSERT INTO shop_order_log (order_id, from_state, to_state, why) VALUES (NEW.id, OLD.state, NEW.state, NEW.why);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.shop_order_proven() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_order bigint := CASE TG_TABLE_NAME WHEN 'shop_orders' THEN (to_jsonb(NEW)->>'id')::bigint
                                         ELSE (to_jsonb(NEW)->>'order_id')::bigint END;
    v_wrong text := shop_order_wrong(v_order);
BEGIN
    IF v_wrong IS NOT NULL THEN
        RAISE EXCEPTION 'shop: order %: %', v_order, v_wrong USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.shop_order_wrong(p_order bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE
        WHEN m.paid <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.gold END
            THEN 'credited ' || m.paid || ' of ' || o.gold || ' gold as ' || o.state
        WHEN m.back <> o.gold_back THEN 'taken back ' || m.back || ', noted ' || o.gold_back
        WHEN m.differ > 0 THEN 'a transfer moves other chips than its order says' END
    FROM shop_orders o
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(x.gold) FILTER (WHERE x.what = 'paid'), 0) AS paid,
               coalesce(sum(CASE x.what WHEN 'back' THEN x.gold WHEN 'return' THEN -x.gold END), 0) AS back,
               count(*) FILTER (WHERE x.gold * CASE x.what WHEN 'back' THEN -1 ELSE 1 END IS DISTINCT FROM
                   (SELECT sum(p.amount) FROM postings p WHERE p.transfer_id = x.transfer_id
                    AND p.account_id = (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = o.player_id
                                        AND currency = 'gold'))) AS differ
        FROM shop_moves x WHERE x.order_id = o.id) m
    WHERE o.id = p_order
$$;

CREATE FUNCTION public.shop_post(p_order public.shop_orders, p_what text, p_gold bigint, p_key text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_cause  text   := CASE p_what WHEN 'paid' THEN 'shop' ELSE 'shop_back' END;
    v_amount bigint := CASE p_what WHEN 'back' THEN -p_gold ELSE p_gold END;
    v_reason text   := CASE p_what WHEN 'paid' THEN 'shop' WHEN 'back' THEN 'shop_back' ELSE 'shop_return' END;
    v_id     bigint;
BEGIN
    v_id := ledger_post(v_cause, p_key, NULL, '', ARRAY[
        ROW(account_house(v_cause, 'gold'), -v_amount, v_reason),
        ROW(account_purse(p_order.player_id, 'gold'), v_amount, v_reason)]::ledger_leg[]);
    IF v_id IS NULL THEN
        RAISE EXCEPTION 'shop: % was posted before', p_key USING ERRCODE = 'unique_violation';
    END IF;
    INSERT INTO shop_moves (transfer_id, order_id, what, gold) VALUES (v_id, p_order.id, p_what, p_gold);
END $$;

CREATE FUNCTION public.shop_refund_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT (OLD.state = 'asked' OR OLD.state = 'done' AND NEW.state = 'failed')
       OR (NEW.id, NEW.order_id, NEW.key_id, NEW.token, NEW.reason, NEW.created_at)
          IS DISTINCT FROM (OLD.id, OLD.order_id, OLD.key_id, OLD.token, OLD.reason, OLD.created_at) THEN
        RAISE EXCEPTION 'shop: refund % keeps what it was', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.shop_refunded(p_order bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(max(greatest(0, e.amount_minor - (
        SELECT coalesce(sum(f.amount_minor), 0) FROM shop_events f
        WHERE f.order_id = p_order AND f.kind = 'refund_failed'
          AND (f.subject = e.subject OR coalesce(f.said_at, f.at) >= coalesce(e.said_at, e.at))))), 0)::bigint
    FROM shop_events e WHERE e.order_id = p_order AND e.kind = 'refunded'
$$;

CREATE FUNCTION public.shop_refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'shop: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.shop_settle(p_order bigint, p_event text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    o         shop_orders;
    v_dispute text := shop_dispute(p_order);
    v_refund  boolean := EXISTS (SELECT 1 FROM shop_refunds WHERE order_id = p_order AND state = 'asked');
    v_need    bigint;
    v_move    bigint;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    IF o.paid_at IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[o.player_id]);
    v_need := CASE WHEN v_dispute IN ('open', 'lost') OR v_refund THEN o.gold
                   ELSE o.gold * least(o.refunded_minor, o.price_minor) / o.price_minor END - o.gold_back - o.gold_short;
    IF v_need > 0 THEN
        v_move := least(v_need, (SELECT balance FROM accounts WHERE id = account_purse(o.player_id, 'gold')));
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'back', v_move, 'shop:' || o.id || ':back:' || p_event);
        END IF;
        IF v_need > v_move THEN
            INSERT INTO shop_flags (order_id, reason, gold, detail) VALUES (o.id, 'gold_short', v_need - v_move, p_event);
        END IF;
        o.gold_back := o.gold_back + v_move;
        o.gold_short := o.gold_short + v_need - v_move;
    ELSIF v_need < 0 THEN
        -- A dispute was won, or a refund refused: first what was owed is owed no more, then the gold comes back.
        v_move := greatest(0, -v_need - o.gold_short);
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'return', v_move, 'shop:' || o.id || ':return:' || p_event);
        END IF;
        IF o.gold_short > 0 THEN
            UPDATE shop_flags SET settled_at = now() WHERE order_id = o.id AND reason = 'gold_short' AND settled_at IS NULL;
        END IF;
        o.gold_short := o.gold_short - (-v_need - v_move);
        o.gold_back := o.gold_back - v_move;
    END IF;
    UPDATE shop_orders
    SET gold_back = o.gold_back, gold_short = o.gold_short,
        state = CASE WHEN v_dispute = 'lost' THEN 'charged_back' WHEN v_dispute = 'open' THEN 'disputed'
                     WHEN refunded_minor >= price_minor THEN 'refunded' WHEN v_refund THEN 'refunding' ELSE 'paid' END
    WHERE id = o.id;
END $$;

CREATE FUNCTION public.shop_transfer_of_order() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM shop_moves WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'shop: transfer % belongs to no order', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.silver_over_cap(p_player bigint, p_gain bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT least(p_gain, greatest(0, silver_owned(p.id) + p_gain - l.silver_cap))
            FROM players p JOIN levels l USING (level)
            WHERE p.id = p_player);
END $$;

CREATE FUNCTION public.silver_owned(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT p.balance + coalesce((SELECT sum(h.balance) FROM seats s
                                         JOIN accounts h ON h.kind = 'hold' AND h.table_id = s.table_id
                                                        AND h.player_id = s.player_id AND h.currency = 'silver'
                                         WHERE s.player_id = p_player AND s.live), 0)::bigint
            FROM accounts p
            WHERE p.kind = 'purse' AND p.player_id = p_player AND p.currency = 'silver');
END $$;

CREATE FUNCTION public.stake_refusal(p_player bigint, p_variant text, p_visibility text, p_bots integer, p_stake bigint, p_point_value integer, p_opens boolean) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_level integer := (SELECT min(t.level_from) FROM rooms r JOIN titles t ON t.name = r.title WHERE r.stake = p_stake);
    v_cost  bigint := p_stake + p_point_value * setting_int('point_value_hold');
BEGIN
    IF v_cost = 0 THEN
        RETURN NULL;
    END IF;
    RETURN CASE
        WHEN p_opens AND p_visibility = 'private' THEN 'stake_private'
        WHEN p_opens AND p_bots > 0 THEN 'stake_bots'
        WHEN p_opens AND (has_own_points(p_variant) OR (p_point_value > 0) <> (p_variant = 'points')
                          OR p_point_value > 0 AND p_stake > 0) THEN 'stake_variant'
        WHEN p_opens AND (p_point_value > setting_int('point_value_max') OR p_stake > 0 AND v_level IS NULL) THEN 'stake_unknown'
        WHEN p_stake > 0 AND (SELECT level FROM players WHERE id = p_player) < v_level THEN 'room_locked'
        WHEN (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player) < v_cost THEN 'no_funds' END;
END $$;

CREATE FUNCTION public.stale_tables_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.start_alone(p_table public.tables) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seat  seats;
    v_games integer;
    v_day   date := local_day(now());
BEGIN
    SELECT * INTO STRICT v_seat FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL;
    PERFORM lock_players(ARRAY[v_seat.player_id]);
    SELECT games INTO v_games FROM alone_games WHERE player_id = v_seat.player_id AND day = v_day;
    IF coalesce(v_games, 0) >= setting_int('alone_games_a_day') THEN
        PERFORM refund_stake(v_seat, 'practice');
        UPDATE seats SET stake_silver = 0, stake_gold = 0 WHERE table_id = p_table.id AND seat = v_seat.seat;
        UPDATE tables SET practice = true WHERE id = p_table.id;
        RETURN true;
    END IF;
    INSERT INTO alone_games AS a (player_id, day, games) VALUES (v_seat.player_id, v_day, 1)
    ON CONFLICT (player_id, day) DO UPDATE SET games = a.games + 1;
    UPDATE tables SET alone_day = v_day WHERE id = p_table.id;
    RETURN false;
END $$;

CREATE FUNCTION public.store_game(p_table public.tables, p_ending text, p_results jsonb, p_record text) RETURNS public.games
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_game   games;
    v_hand   hands;
    v_stored bigint;
BEGIN
    DELETE FROM hands WHERE table_id = p_table.id AND dealt_at IS NULL;
    IF p_record <> '' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table.id AND ended_at IS NULL;
        IF NOT FOUND THEN
            UPDATE hands h SET record = h.record || p_record
            WHERE h.table_id = p_table.id
              AND h.hand_no = (SELECT max(l.hand_no) FROM hands l WHERE l.table_id = p_table.id);
        END IF;
    END IF;
    SELECT * INTO STRICT v_hand FROM hands WHERE table_id = p_table.id ORDER BY hand_no DESC LIMIT 1;
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                       practice, ending, moves_n, server_seed, commit, started_at)
    VALUES (p_table.id, v_hand.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min') AND p_table.visibility <> 'private', p_table.practice,
            p_ending, (SELECT count(*) FROM journal WHERE table_id = p_table.id), v_hand.server_seed, v_hand.commit,
            p_table.started_at)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar,
           decode(coalesce((unpack_seeds(v_hand.client_seeds))[s.seat + 1], ''), 'hex'), r.place,
           coalesce(r.total, r.points), r.opened,
           r.cards_left, coalesce(r.won, r.place = 1 AND p_ending = 'out'), r.rummy, r."left",
           game_points(p_table.variant, r.place, r.opened, r.cards_left)
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, total integer, opened boolean,
                                             cards_left smallint, won boolean, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;

CREATE TABLE public.player_days (
    player_id bigint NOT NULL,
    bonus_day date NOT NULL,
    played_day date,
    streak integer DEFAULT 0 NOT NULL,
    streak_best integer DEFAULT 0 NOT NULL,
    CONSTRAINT player_days_check CHECK ((streak_best >= streak)),
    CONSTRAINT player_days_streak_check CHECK ((streak >= 0))
);

CREATE FUNCTION public.streak_before(p_days public.player_days, p_day date) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN p_days.played_day = p_day - 1 THEN p_days.streak ELSE 0 END
$$;

CREATE FUNCTION public.table_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
    v_players  bigint[] := '{}';
    v_points   bigint[] := '{}';
    v_won      boolean[] := '{}';
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_game.id IS NULL OR v_game.practice THEN
        RETURN NULL;
    END IF;
    UPDATE game_players g SET facts = r.facts
    FROM hands h CROSS JOIN LATERAL jsonb_to_recordset(h.results) AS r (seat smallint, facts jsonb)
    WHERE h.table_id = NEW.id AND h.hand_no = v_game.hand_no AND g.game_id = v_game.id AND g.seat = r.seat
      AND r.facts IS NOT NULL;
    PERFORM count_stats(v_game);
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL ORDER BY player_id LOOP
        PERFORM tell_level(v_result);
        PERFORM count_achievements(v_game, v_result);
        v_players := v_players || v_result.player_id;
        v_points := v_points || v_result.game_points::bigint;
        v_won := v_won || v_result.won;
    END LOOP;
    IF v_game.rated AND v_position IS NOT NULL THEN
        PERFORM count_league_games(v_players, v_position, v_points, v_won, v_game.ended_at);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.tell_level(p_result public.game_players) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_result.levels_gained > 0 THEN
        PERFORM notify_player(p_result.player_id, 'level', jsonb_build_object(
            'level', p_result.level, 'title', p_result.title, 'gold', p_result.level_gold,
            'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]') FROM rooms r JOIN titles t ON t.name = r.title
                      WHERE t.level_from > p_result.level - p_result.levels_gained AND t.level_from <= p_result.level)));
    END IF;
END $$;

CREATE FUNCTION public.unpack_seeds(p_packed bytea) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
    v_seeds text[] := '{}';
    v_at    integer := 0;
BEGIN
    WHILE v_at < octet_length(p_packed) LOOP
        v_seeds := v_seeds || encode(substr(p_packed, v_at + 2, get_byte(p_packed, v_at)), 'hex');
        v_at := v_at + 1 + get_byte(p_packed, v_at);
    END LOOP;
    RETURN v_seeds;
END $$;

CREATE FUNCTION public.upkeep_step(p_at timestamp with time zone) RETURNS public.job_step
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_batch bigint := setting_int('job_batch');
    v_rows  bigint := do_purge(v_batch::integer) + do_purge_days(v_batch);
    v_due   bigint := do_counts_due(least(v_batch, 500));
BEGIN
    RETURN ROW(v_rows >= v_batch OR v_due >= least(v_batch, 500), jsonb_build_object('rows', v_rows, 'counts', v_due))::job_step;
END $$;

CREATE FUNCTION public.variant_points(p_place integer, p_seats integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT floor(setting_int('variant_points_most')
                         - setting_int('variant_points_span') * (p_place - 1)::numeric / greatest(1, p_seats - 1))::integer);
END $$;

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    player_id bigint,
    table_id bigint,
    cause text,
    balance bigint,
    CONSTRAINT accounts_balance_check CHECK ((balance >= 0)),
    CONSTRAINT accounts_check CHECK (
CASE kind
    WHEN 'purse'::text THEN ((player_id IS NOT NULL) AND (table_id IS NULL) AND (cause IS NULL))
    WHEN 'hold'::text THEN ((player_id IS NOT NULL) AND (table_id IS NOT NULL) AND (cause IS NULL))
    ELSE ((player_id IS NULL) AND (table_id IS NULL) AND (cause IS NOT NULL))
END),
    CONSTRAINT accounts_check1 CHECK (((balance IS NULL) = (kind = 'house'::text))),
    CONSTRAINT accounts_currency_check CHECK ((currency = ANY (ARRAY['silver'::text, 'gold'::text]))),
    CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['purse'::text, 'hold'::text, 'house'::text])))
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.admin_answers (
    key_id bigint NOT NULL,
    idem_key text NOT NULL,
    body_hash bytea NOT NULL,
    answer jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT admin_answers_idem_key_check CHECK (((char_length(idem_key) >= 1) AND (char_length(idem_key) <= 64)))
);

CREATE TABLE public.alone_games (
    player_id bigint NOT NULL,
    day date NOT NULL,
    games integer NOT NULL,
    CONSTRAINT alone_games_games_check CHECK ((games >= 0))
);

CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64))),
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['jobs'::text, 'admin'::text])))
);

ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    key_id bigint,
    action text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    code text NOT NULL
);

ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.board_entries (
    board_id integer NOT NULL,
    player_id bigint NOT NULL,
    score bigint NOT NULL
);

CREATE TABLE public.board_moves (
    board_id integer NOT NULL,
    score bigint NOT NULL,
    tie bigint NOT NULL,
    change smallint NOT NULL,
    CONSTRAINT board_moves_change_check CHECK ((change = ANY (ARRAY['-1'::integer, 1])))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='20000');

CREATE TABLE public.board_pieces (
    board_id integer NOT NULL,
    score bigint NOT NULL,
    tie bigint NOT NULL,
    scores bigint[] NOT NULL,
    ties bigint[] NOT NULL,
    reach integer[] NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.board_pieces ALTER COLUMN scores SET STORAGE PLAIN;
ALTER TABLE ONLY public.board_pieces ALTER COLUMN ties SET STORAGE PLAIN;
ALTER TABLE ONLY public.board_pieces ALTER COLUMN reach SET STORAGE PLAIN;

CREATE TABLE public.board_tops (
    board_id integer NOT NULL,
    scores bigint[] NOT NULL,
    ties bigint[] NOT NULL,
    above bigint[] NOT NULL
)
WITH (autovacuum_vacuum_threshold='500');
ALTER TABLE ONLY public.board_tops ALTER COLUMN scores SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.board_tops ALTER COLUMN ties SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.board_tops ALTER COLUMN above SET STORAGE EXTERNAL;

CREATE TABLE public.boards (
    id integer NOT NULL,
    kind text NOT NULL,
    variant text NOT NULL,
    period text NOT NULL,
    CONSTRAINT boards_kind_check CHECK ((kind = ANY (ARRAY['rating'::text, 'clover'::text, 'wins'::text, 'rummies'::text, 'league'::text])))
);

ALTER TABLE public.boards ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.boards_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.causes (
    cause text NOT NULL,
    about text NOT NULL
);

CREATE TABLE public.counts_due (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    counter text NOT NULL,
    n bigint NOT NULL
);

ALTER TABLE public.counts_due ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.counts_due_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.credentials (
    player_id bigint NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT credentials_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254))))
);

CREATE TABLE public.friends (
    from_id bigint NOT NULL,
    to_id bigint NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    accepted_at timestamp with time zone,
    CONSTRAINT friends_check CHECK ((from_id <> to_id))
);

ALTER TABLE public.games ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.guest_devices (
    device_hash bytea NOT NULL,
    player_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT guest_devices_device_hash_check CHECK ((octet_length(device_hash) = 32))
);

CREATE TABLE public.hands (
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    client_seeds bytea,
    dealt_at timestamp with time zone,
    ended_at timestamp with time zone,
    ending text,
    results jsonb,
    record text,
    CONSTRAINT hands_check CHECK (((client_seeds IS NULL) = (dealt_at IS NULL))),
    CONSTRAINT hands_check1 CHECK ((((ended_at IS NULL) = (ending IS NULL)) AND ((ended_at IS NULL) = (results IS NULL)) AND ((ended_at IS NULL) = (record IS NULL)))),
    CONSTRAINT hands_check2 CHECK (((ended_at IS NULL) OR (dealt_at IS NOT NULL))),
    CONSTRAINT hands_commit_check CHECK ((octet_length(commit) = 32)),
    CONSTRAINT hands_ending_check CHECK ((ending = ANY (ARRAY['out'::text, 'no_cards'::text, 'stalled'::text, 'last'::text]))),
    CONSTRAINT hands_hand_no_check CHECK ((hand_no > 0)),
    CONSTRAINT hands_server_seed_check CHECK ((octet_length(server_seed) = 32))
)
PARTITION BY RANGE (table_id);

CREATE TABLE public.hands_default (
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    client_seeds bytea,
    dealt_at timestamp with time zone,
    ended_at timestamp with time zone,
    ending text,
    results jsonb,
    record text,
    CONSTRAINT hands_check CHECK (((client_seeds IS NULL) = (dealt_at IS NULL))),
    CONSTRAINT hands_check1 CHECK ((((ended_at IS NULL) = (ending IS NULL)) AND ((ended_at IS NULL) = (results IS NULL)) AND ((ended_at IS NULL) = (record IS NULL)))),
    CONSTRAINT hands_check2 CHECK (((ended_at IS NULL) OR (dealt_at IS NOT NULL))),
    CONSTRAINT hands_commit_check CHECK ((octet_length(commit) = 32)),
    CONSTRAINT hands_ending_check CHECK ((ending = ANY (ARRAY['out'::text, 'no_cards'::text, 'stalled'::text, 'last'::text]))),
    CONSTRAINT hands_hand_no_check CHECK ((hand_no > 0)),
    CONSTRAINT hands_server_seed_check CHECK ((octet_length(server_seed) = 32))
);

CREATE TABLE public.idempotency (
    player_id bigint NOT NULL,
    key text NOT NULL,
    action text NOT NULL,
    body_hash bytea NOT NULL,
    answer jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 128)))
);

CREATE TABLE public.invite_codes (
    player_id bigint NOT NULL,
    code text NOT NULL
);

CREATE TABLE public.invites (
    invited_id bigint NOT NULL,
    inviter_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    owed boolean DEFAULT false NOT NULL,
    CONSTRAINT invites_check CHECK ((invited_id <> inviter_id)),
    CONSTRAINT invites_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'over'::text])))
);

CREATE TABLE public.invites_due (
    invited_id bigint NOT NULL
);

CREATE TABLE public.job_runs (
    id bigint NOT NULL,
    job text NOT NULL,
    key_id bigint NOT NULL,
    idem_key text NOT NULL,
    body_hash bytea NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    done_at timestamp with time zone,
    steps integer DEFAULT 0 NOT NULL,
    result jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE public.job_runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.job_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.jobs (
    job text NOT NULL,
    about text NOT NULL,
    every_s bigint NOT NULL,
    grace_s bigint NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    by_time boolean DEFAULT false NOT NULL,
    CONSTRAINT jobs_every_s_check CHECK ((every_s > 0)),
    CONSTRAINT jobs_grace_s_check CHECK ((grace_s >= 0))
);

CREATE TABLE public.journal (
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    v integer NOT NULL,
    epoch bigint NOT NULL,
    seat smallint NOT NULL,
    move bytea NOT NULL,
    hash bigint NOT NULL,
    command text DEFAULT ''::text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reserve_ms integer DEFAULT 0 NOT NULL,
    CONSTRAINT journal_command_check CHECK ((char_length(command) <= 36)),
    CONSTRAINT journal_reserve_ms_check CHECK ((reserve_ms >= 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='20000', autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='20000');

CREATE TABLE public.league_games (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    room_position smallint NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    CONSTRAINT league_games_games_check CHECK ((games > 0)),
    CONSTRAINT league_games_points_check CHECK ((points >= 0)),
    CONSTRAINT league_games_wins_check CHECK ((wins >= 0))
)
PARTITION BY RANGE (season_no);

CREATE TABLE public.league_games_default (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    room_position smallint NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    CONSTRAINT league_games_games_check CHECK ((games > 0)),
    CONSTRAINT league_games_points_check CHECK ((points >= 0)),
    CONSTRAINT league_games_wins_check CHECK ((wins >= 0))
);

CREATE TABLE public.league_members (
    player_id bigint NOT NULL,
    "position" smallint NOT NULL,
    since integer NOT NULL
)
WITH (fillfactor='80');

CREATE TABLE public.league_prizes (
    league_id text NOT NULL,
    place smallint NOT NULL,
    gold bigint NOT NULL,
    CONSTRAINT league_prizes_gold_check CHECK ((gold >= 0)),
    CONSTRAINT league_prizes_place_check CHECK ((place > 0))
);

CREATE TABLE public.league_rows (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    "position" smallint NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    rating integer NOT NULL
)
PARTITION BY RANGE (season_no);

CREATE TABLE public.league_rows_default (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    "position" smallint NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    rating integer NOT NULL
);

CREATE TABLE public.leagues (
    id text NOT NULL,
    "position" smallint NOT NULL,
    name text NOT NULL,
    promote_rating integer,
    promote_places integer,
    relegate_rating integer,
    relegate_places integer,
    opens_players integer,
    open boolean NOT NULL,
    CONSTRAINT leagues_position_check CHECK (("position" > 0))
);

CREATE TABLE public.levels (
    level integer NOT NULL,
    title text NOT NULL,
    points_needed bigint,
    reward_gold bigint NOT NULL,
    silver_cap bigint NOT NULL,
    CONSTRAINT levels_level_check CHECK ((level > 0)),
    CONSTRAINT levels_points_needed_check CHECK ((points_needed > 0)),
    CONSTRAINT levels_reward_gold_check CHECK ((reward_gold >= 0)),
    CONSTRAINT levels_silver_cap_check CHECK ((silver_cap >= 0))
);

CREATE TABLE public.limit_currencies (
    currency text NOT NULL,
    worth numeric NOT NULL,
    CONSTRAINT limit_currencies_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
    CONSTRAINT limit_currencies_worth_check CHECK ((worth > (0)::numeric))
);

CREATE TABLE public.login_failures (
    subject text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.month_closings (
    period text NOT NULL,
    closed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.month_prizes (
    variant text NOT NULL,
    kind text NOT NULL,
    place smallint NOT NULL,
    gold bigint NOT NULL,
    CONSTRAINT month_prizes_gold_check CHECK ((gold > 0)),
    CONSTRAINT month_prizes_place_check CHECK ((place > 0))
);

CREATE TABLE public.month_winners (
    period text NOT NULL,
    variant text NOT NULL,
    kind text NOT NULL,
    place smallint NOT NULL,
    player_id bigint NOT NULL,
    value bigint NOT NULL,
    gold bigint NOT NULL
);

CREATE TABLE public.nodes (
    name text NOT NULL,
    epoch bigint NOT NULL,
    alive_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone,
    stopped_at timestamp with time zone,
    CONSTRAINT nodes_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64)))
);

CREATE TABLE public.notifications (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    data jsonb NOT NULL,
    read_at timestamp with time zone,
    CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['level'::text, 'season'::text, 'league_prize'::text, 'month_prize'::text, 'achievement'::text, 'invite'::text, 'friend'::text])))
)
PARTITION BY RANGE (at);

CREATE SEQUENCE public.notifications_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.notifications_id OWNED BY public.notifications.id;

CREATE TABLE public.notifications_default (
    id bigint DEFAULT nextval('public.notifications_id'::regclass) NOT NULL,
    player_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    data jsonb NOT NULL,
    read_at timestamp with time zone,
    CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['level'::text, 'season'::text, 'league_prize'::text, 'month_prize'::text, 'achievement'::text, 'invite'::text, 'friend'::text])))
);

CREATE TABLE public.partitions (
    parent text NOT NULL,
    no bigint NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.place_points (
    variant text NOT NULL,
    place smallint NOT NULL,
    points integer NOT NULL,
    CONSTRAINT place_points_place_check CHECK ((place > 0)),
    CONSTRAINT place_points_points_check CHECK ((points >= 0))
);

CREATE TABLE public.play_limits (
    player_id bigint NOT NULL,
    kind text NOT NULL,
    value bigint NOT NULL,
    next_value bigint,
    next_at timestamp with time zone,
    CONSTRAINT play_limits_check CHECK (((next_value IS NULL) = (next_at IS NULL))),
    CONSTRAINT play_limits_kind_check CHECK ((kind = ANY (ARRAY['time'::text, 'purchases'::text, 'exclusion'::text]))),
    CONSTRAINT play_limits_next_value_check CHECK ((next_value >= 0)),
    CONSTRAINT play_limits_value_check CHECK ((value >= 0))
);

CREATE TABLE public.player_achievements (
    player_id bigint NOT NULL,
    achievement_id text NOT NULL,
    earned_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.player_bars (
    player_id bigint NOT NULL,
    other_id bigint NOT NULL,
    muted boolean DEFAULT false NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT player_bars_check CHECK ((player_id <> other_id)),
    CONSTRAINT player_bars_check1 CHECK ((muted OR blocked))
);

CREATE TABLE public.player_counters (
    player_id bigint NOT NULL,
    counter text NOT NULL,
    n bigint NOT NULL
);

CREATE TABLE public.player_notes (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    key_id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    text text NOT NULL,
    CONSTRAINT player_notes_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 500)))
);

ALTER TABLE public.player_notes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.player_notes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.player_stats (
    player_id bigint NOT NULL,
    variant text NOT NULL,
    games bigint DEFAULT 0 NOT NULL,
    rated bigint DEFAULT 0 NOT NULL,
    points bigint DEFAULT 0 NOT NULL,
    wins bigint DEFAULT 0 NOT NULL,
    opened bigint DEFAULT 0 NOT NULL,
    rummies bigint DEFAULT 0 NOT NULL,
    places bigint[] DEFAULT '{0,0,0,0,0,0}'::bigint[] NOT NULL,
    streak bigint DEFAULT 0 NOT NULL,
    streak_best bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.players (
    id bigint NOT NULL,
    kind text NOT NULL,
    role text DEFAULT 'player'::text NOT NULL,
    nickname text NOT NULL,
    avatar text DEFAULT ''::text NOT NULL,
    level integer DEFAULT 1 NOT NULL,
    level_points bigint DEFAULT 0 NOT NULL,
    clover_points bigint DEFAULT 0 NOT NULL,
    banned_at timestamp with time zone,
    deleted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    chat_muted_until timestamp with time zone,
    CONSTRAINT players_avatar_check CHECK ((char_length(avatar) <= 32)),
    CONSTRAINT players_clover_points_check CHECK ((clover_points >= 0)),
    CONSTRAINT players_kind_check CHECK ((kind = ANY (ARRAY['guest'::text, 'registered'::text]))),
    CONSTRAINT players_level_points_check CHECK ((level_points >= 0)),
    CONSTRAINT players_nickname_check CHECK (((char_length(nickname) >= 1) AND (char_length(nickname) <= 24))),
    CONSTRAINT players_role_check CHECK ((role = ANY (ARRAY['player'::text, 'admin'::text])))
);

CREATE TABLE public.players_apart (
    low_id bigint NOT NULL,
    high_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT players_apart_check CHECK ((low_id < high_id))
);

ALTER TABLE public.players ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.players_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.postings (
    id bigint NOT NULL,
    transfer_id bigint NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    balance_after bigint,
    CONSTRAINT postings_amount_check CHECK (((amount <> 0) AND (abs(amount) <= '1000000000000'::bigint))),
    CONSTRAINT postings_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT postings_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 40)))
);

CREATE SEQUENCE public.postings_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.postings_id OWNED BY public.postings.id;

CREATE TABLE public.ranked_variants (
    variant text NOT NULL
);

CREATE TABLE public.refresh_tokens (
    token_hash bytea NOT NULL,
    family uuid NOT NULL,
    player_id bigint NOT NULL,
    issued_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT refresh_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

ALTER TABLE public.reports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.season_results (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    "position" smallint NOT NULL,
    place bigint,
    games bigint NOT NULL,
    rating integer,
    to_position smallint,
    reason text NOT NULL,
    said text NOT NULL,
    prize_gold bigint DEFAULT 0 NOT NULL,
    CONSTRAINT season_results_reason_check CHECK ((reason = ANY (ARRAY['inactive'::text, 'too_few_games'::text, 'relegated'::text, 'promoted'::text, 'room_locked'::text, 'league_closed'::text, 'stays'::text])))
)
PARTITION BY RANGE (season_no);

CREATE TABLE public.season_results_default (
    season_no integer NOT NULL,
    player_id bigint NOT NULL,
    "position" smallint NOT NULL,
    place bigint,
    games bigint NOT NULL,
    rating integer,
    to_position smallint,
    reason text NOT NULL,
    said text NOT NULL,
    prize_gold bigint DEFAULT 0 NOT NULL,
    CONSTRAINT season_results_reason_check CHECK ((reason = ANY (ARRAY['inactive'::text, 'too_few_games'::text, 'relegated'::text, 'promoted'::text, 'room_locked'::text, 'league_closed'::text, 'stays'::text])))
);

CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL,
    about text NOT NULL
);

CREATE TABLE public.shop_flags (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reason text NOT NULL,
    gold bigint DEFAULT 0 NOT NULL,
    detail text DEFAULT ''::text NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT shop_flags_reason_check CHECK ((reason = ANY (ARRAY['gold_short'::text, 'amount_differs'::text, 'refund_failed'::text])))
);

ALTER TABLE public.shop_flags ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.shop_flags_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.shop_moves (
    transfer_id bigint NOT NULL,
    order_id bigint NOT NULL,
    what text NOT NULL,
    gold bigint NOT NULL,
    CONSTRAINT shop_moves_gold_check CHECK ((gold > 0)),
    CONSTRAINT shop_moves_what_check CHECK ((what = ANY (ARRAY['paid'::text, 'back'::text, 'return'::text])))
);

CREATE TABLE public.shop_order_log (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    from_state text,
    to_state text NOT NULL,
    why text NOT NULL
);

ALTER TABLE public.shop_order_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.shop_order_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.shop_orders ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.shop_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.shop_refunds (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    key_id bigint NOT NULL,
    token uuid DEFAULT gen_random_uuid() NOT NULL,
    reason text NOT NULL,
    state text DEFAULT 'asked'::text NOT NULL,
    refund_ref text,
    why text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    asked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    asks integer DEFAULT 0 NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT shop_refunds_check CHECK (((ended_at IS NOT NULL) = (state <> 'asked'::text))),
    CONSTRAINT shop_refunds_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 200))),
    CONSTRAINT shop_refunds_refund_ref_check CHECK ((char_length(refund_ref) <= 200)),
    CONSTRAINT shop_refunds_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'done'::text, 'refused'::text, 'failed'::text])))
);

ALTER TABLE public.shop_refunds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.shop_refunds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.shop_transitions (
    from_state text NOT NULL,
    to_state text NOT NULL
);

CREATE TABLE public.table_chat (
    id bigint NOT NULL,
    table_id bigint NOT NULL,
    player_id bigint NOT NULL,
    seat smallint NOT NULL,
    kind text NOT NULL,
    text text NOT NULL,
    command text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT table_chat_command_check CHECK ((char_length(command) <= 36)),
    CONSTRAINT table_chat_kind_check CHECK ((kind = ANY (ARRAY['chat'::text, 'emote'::text]))),
    CONSTRAINT table_chat_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 200)))
);

ALTER TABLE public.table_chat ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.table_chat_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.tables ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tables_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tickets (
    id uuid NOT NULL,
    table_id bigint,
    player_id bigint NOT NULL,
    seat smallint,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT tickets_check CHECK (((table_id IS NOT NULL) OR (seat IS NULL)))
);

CREATE TABLE public.titles (
    name text NOT NULL,
    level_from integer NOT NULL,
    CONSTRAINT titles_level_from_check CHECK ((level_from > 0))
);

CREATE TABLE public.transfers (
    id bigint NOT NULL,
    cause text NOT NULL,
    key text NOT NULL,
    table_id bigint,
    note text DEFAULT ''::text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT transfers_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200)))
);

ALTER TABLE public.transfers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.transfers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.hands ATTACH PARTITION public.hands_default DEFAULT;

ALTER TABLE ONLY public.league_games ATTACH PARTITION public.league_games_default DEFAULT;

ALTER TABLE ONLY public.league_rows ATTACH PARTITION public.league_rows_default DEFAULT;

ALTER TABLE ONLY public.notifications ATTACH PARTITION public.notifications_default DEFAULT;

ALTER TABLE ONLY public.season_results ATTACH PARTITION public.season_results_default DEFAULT;

ALTER TABLE ONLY public.notifications ALTER COLUMN id SET DEFAULT nextval('public.notifications_id'::regclass);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.achievements
    ADD CONSTRAINT achievements_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.achievements
    ADD CONSTRAINT achievements_position_key UNIQUE ("position");

ALTER TABLE ONLY public.admin_answers
    ADD CONSTRAINT admin_answers_pkey PRIMARY KEY (key_id, idem_key);

ALTER TABLE ONLY public.alone_games
    ADD CONSTRAINT alone_games_pkey PRIMARY KEY (player_id, day);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_name_key UNIQUE (name);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.board_entries
    ADD CONSTRAINT board_entries_pkey PRIMARY KEY (board_id, player_id) INCLUDE (score);

ALTER TABLE ONLY public.board_pieces
    ADD CONSTRAINT board_pieces_pkey PRIMARY KEY (board_id, score, tie);

ALTER TABLE ONLY public.board_tops
    ADD CONSTRAINT board_tops_pkey PRIMARY KEY (board_id);

ALTER TABLE ONLY public.boards
    ADD CONSTRAINT boards_kind_variant_period_key UNIQUE (kind, variant, period);

ALTER TABLE ONLY public.boards
    ADD CONSTRAINT boards_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.causes
    ADD CONSTRAINT causes_pkey PRIMARY KEY (cause);

ALTER TABLE ONLY public.counts_due
    ADD CONSTRAINT counts_due_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_email_key UNIQUE (email);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_pkey PRIMARY KEY (from_id, to_id) INCLUDE (accepted_at);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_table_id_hand_no_key UNIQUE (table_id, hand_no);

ALTER TABLE ONLY public.guest_devices
    ADD CONSTRAINT guest_devices_pkey PRIMARY KEY (device_hash);

ALTER TABLE ONLY public.hands
    ADD CONSTRAINT hands_pkey PRIMARY KEY (table_id, hand_no);

ALTER TABLE ONLY public.hands_default
    ADD CONSTRAINT hands_default_pkey PRIMARY KEY (table_id, hand_no);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (player_id, key);

ALTER TABLE ONLY public.invite_codes
    ADD CONSTRAINT invite_codes_code_key UNIQUE (code);

ALTER TABLE ONLY public.invite_codes
    ADD CONSTRAINT invite_codes_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.invites_due
    ADD CONSTRAINT invites_due_pkey PRIMARY KEY (invited_id);

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_pkey PRIMARY KEY (invited_id);

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_key_id_idem_key_key UNIQUE (key_id, idem_key);

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (job);

ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (table_id, v);

ALTER TABLE ONLY public.league_games
    ADD CONSTRAINT league_games_pkey PRIMARY KEY (season_no, player_id, room_position);

ALTER TABLE ONLY public.league_games_default
    ADD CONSTRAINT league_games_default_pkey PRIMARY KEY (season_no, player_id, room_position);

ALTER TABLE ONLY public.league_members
    ADD CONSTRAINT league_members_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.league_prizes
    ADD CONSTRAINT league_prizes_pkey PRIMARY KEY (league_id, place);

ALTER TABLE ONLY public.league_rows
    ADD CONSTRAINT league_rows_pkey PRIMARY KEY (season_no, player_id);

ALTER TABLE ONLY public.league_rows_default
    ADD CONSTRAINT league_rows_default_pkey PRIMARY KEY (season_no, player_id);

ALTER TABLE ONLY public.leagues
    ADD CONSTRAINT leagues_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.leagues
    ADD CONSTRAINT leagues_position_key UNIQUE ("position");

ALTER TABLE ONLY public.levels
    ADD CONSTRAINT levels_pkey PRIMARY KEY (level);

ALTER TABLE ONLY public.limit_currencies
    ADD CONSTRAINT limit_currencies_pkey PRIMARY KEY (currency);

ALTER TABLE ONLY public.month_closings
    ADD CONSTRAINT month_closings_pkey PRIMARY KEY (period);

ALTER TABLE ONLY public.month_prizes
    ADD CONSTRAINT month_prizes_pkey PRIMARY KEY (variant, kind, place);

ALTER TABLE ONLY public.month_winners
    ADD CONSTRAINT month_winners_pkey PRIMARY KEY (period, variant, kind, place);

ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id, at);

ALTER TABLE ONLY public.notifications_default
    ADD CONSTRAINT notifications_default_pkey PRIMARY KEY (id, at);

ALTER TABLE ONLY public.partitioned
    ADD CONSTRAINT partitioned_pkey PRIMARY KEY (parent);

ALTER TABLE ONLY public.partitions
    ADD CONSTRAINT partitions_pkey PRIMARY KEY (parent, no);

ALTER TABLE ONLY public.place_points
    ADD CONSTRAINT place_points_pkey PRIMARY KEY (variant, place);

ALTER TABLE ONLY public.play_limits
    ADD CONSTRAINT play_limits_pkey PRIMARY KEY (player_id, kind);

ALTER TABLE ONLY public.player_achievements
    ADD CONSTRAINT player_achievements_pkey PRIMARY KEY (player_id, achievement_id);

ALTER TABLE ONLY public.player_bars
    ADD CONSTRAINT player_bars_pkey PRIMARY KEY (player_id, other_id);

ALTER TABLE ONLY public.player_counters
    ADD CONSTRAINT player_counters_pkey PRIMARY KEY (player_id, counter);

ALTER TABLE ONLY public.player_days
    ADD CONSTRAINT player_days_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.player_notes
    ADD CONSTRAINT player_notes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.player_stats
    ADD CONSTRAINT player_stats_pkey PRIMARY KEY (player_id, variant);

ALTER TABLE ONLY public.players_apart
    ADD CONSTRAINT players_apart_pkey PRIMARY KEY (low_id, high_id);

ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ranked_variants
    ADD CONSTRAINT ranked_variants_pkey PRIMARY KEY (variant);

ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_pkey PRIMARY KEY (player_id, variant, period);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_reporter_id_reported_id_table_id_key UNIQUE (reporter_id, reported_id, table_id);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_position_key UNIQUE ("position");

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.season_results
    ADD CONSTRAINT season_results_pkey PRIMARY KEY (player_id, season_no);

ALTER TABLE ONLY public.season_results_default
    ADD CONSTRAINT season_results_default_pkey PRIMARY KEY (player_id, season_no);

ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT seasons_pkey PRIMARY KEY (no);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (table_id, seat);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_player_id_key UNIQUE (table_id, player_id);

ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.shop_events
    ADD CONSTRAINT shop_events_pkey PRIMARY KEY (provider, event_id);

ALTER TABLE ONLY public.shop_flags
    ADD CONSTRAINT shop_flags_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shop_moves
    ADD CONSTRAINT shop_moves_pkey PRIMARY KEY (transfer_id);

ALTER TABLE ONLY public.shop_order_log
    ADD CONSTRAINT shop_order_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_player_id_idem_key_key UNIQUE (player_id, idem_key);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_provider_payment_ref_key UNIQUE (provider, payment_ref);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_provider_provider_ref_key UNIQUE (provider, provider_ref);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_token_key UNIQUE (token);

ALTER TABLE ONLY public.shop_packs
    ADD CONSTRAINT shop_packs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shop_packs
    ADD CONSTRAINT shop_packs_position_key UNIQUE ("position");

ALTER TABLE ONLY public.shop_refunds
    ADD CONSTRAINT shop_refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shop_refunds
    ADD CONSTRAINT shop_refunds_token_key UNIQUE (token);

ALTER TABLE ONLY public.shop_transitions
    ADD CONSTRAINT shop_transitions_pkey PRIMARY KEY (from_state, to_state);

ALTER TABLE ONLY public.table_chat
    ADD CONSTRAINT table_chat_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.table_chat
    ADD CONSTRAINT table_chat_table_id_player_id_command_key UNIQUE (table_id, player_id, command);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.titles
    ADD CONSTRAINT titles_level_from_key UNIQUE (level_from);

ALTER TABLE ONLY public.titles
    ADD CONSTRAINT titles_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_key_key UNIQUE (key);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX accounts_hold ON public.accounts USING btree (table_id, player_id, currency) WHERE (kind = 'hold'::text);

CREATE UNIQUE INDEX accounts_house ON public.accounts USING btree (cause, currency) WHERE (kind = 'house'::text);

CREATE UNIQUE INDEX accounts_purse ON public.accounts USING btree (player_id, currency) WHERE (kind = 'purse'::text);

CREATE INDEX admin_answers_at ON public.admin_answers USING btree (at);

CREATE INDEX alone_games_day ON public.alone_games USING btree (day);

CREATE INDEX board_entries_order ON public.board_entries USING btree (board_id, score, ((- player_id))) INCLUDE (player_id);

CREATE INDEX board_moves_order ON public.board_moves USING btree (board_id, score, tie) INCLUDE (change);

CREATE UNIQUE INDEX friends_pair ON public.friends USING btree (LEAST(from_id, to_id), GREATEST(from_id, to_id));

CREATE INDEX friends_to ON public.friends USING btree (to_id) INCLUDE (from_id, accepted_at);

CREATE INDEX game_players_player ON public.game_players USING btree (player_id, game_id) WHERE (player_id IS NOT NULL);

CREATE INDEX guest_devices_player ON public.guest_devices USING btree (player_id);

CREATE INDEX idempotency_at ON public.idempotency USING btree (at);

CREATE INDEX invites_inviter ON public.invites USING btree (inviter_id);

CREATE INDEX invites_owed ON public.invites USING btree (inviter_id, invited_id) WHERE owed;

CREATE INDEX login_failures_subject ON public.login_failures USING btree (subject, at);

CREATE INDEX notifications_player ON ONLY public.notifications USING btree (player_id, id DESC);

CREATE INDEX notifications_default_player ON public.notifications_default USING btree (player_id, id DESC);

CREATE INDEX player_bars_other ON public.player_bars USING btree (other_id) WHERE blocked;

CREATE INDEX player_days_due ON public.player_days USING btree (bonus_day, player_id);

CREATE INDEX player_notes_player ON public.player_notes USING btree (player_id, id DESC);

CREATE INDEX players_banned ON public.players USING btree (banned_at) WHERE (banned_at IS NOT NULL);

CREATE INDEX players_nickname ON public.players USING btree (lower(nickname) text_pattern_ops, id);

CREATE INDEX postings_account ON public.postings USING btree (account_id, id);

CREATE INDEX postings_transfer ON public.postings USING btree (transfer_id);

CREATE INDEX refresh_tokens_expires ON public.refresh_tokens USING btree (expires_at);

CREATE INDEX refresh_tokens_family ON public.refresh_tokens USING btree (family);

CREATE INDEX refresh_tokens_player ON public.refresh_tokens USING btree (player_id);

CREATE INDEX reports_open ON public.reports USING btree (id) WHERE (state = 'open'::text);

CREATE INDEX reports_reported ON public.reports USING btree (reported_id) WHERE (state = 'open'::text);

CREATE INDEX season_results_first ON ONLY public.season_results USING btree (season_no, place) WHERE (place <= 100);

CREATE INDEX season_results_default_first ON public.season_results_default USING btree (season_no, place) WHERE (place <= 100);

CREATE UNIQUE INDEX seasons_running ON public.seasons USING btree ((true)) WHERE (state = ANY (ARRAY['opening'::text, 'open'::text, 'closing'::text]));

CREATE INDEX seats_live ON public.seats USING btree (player_id) WHERE (live AND (player_id IS NOT NULL));

CREATE INDEX shop_events_order ON public.shop_events USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX shop_events_unmatched ON public.shop_events USING btree (provider, payment_ref) WHERE (order_id IS NULL);

CREATE INDEX shop_flags_open ON public.shop_flags USING btree (id) WHERE (settled_at IS NULL);

CREATE INDEX shop_flags_order ON public.shop_flags USING btree (order_id);

CREATE INDEX shop_moves_order ON public.shop_moves USING btree (order_id);

CREATE UNIQUE INDEX shop_moves_paid ON public.shop_moves USING btree (order_id) WHERE (what = 'paid'::text);

CREATE INDEX shop_order_log_order ON public.shop_order_log USING btree (order_id, id);

CREATE INDEX shop_orders_open ON public.shop_orders USING btree (id) WHERE (state = ANY (ARRAY['created'::text, 'pending'::text]));

CREATE INDEX shop_orders_player ON public.shop_orders USING btree (player_id, id);

CREATE UNIQUE INDEX shop_refunds_asked ON public.shop_refunds USING btree (order_id) WHERE (state = 'asked'::text);

CREATE INDEX shop_refunds_order ON public.shop_refunds USING btree (order_id);

CREATE INDEX table_chat_table ON public.table_chat USING btree (table_id, id);

CREATE UNIQUE INDEX tables_code ON public.tables USING btree (code) WHERE ((code IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'playing'::text])));

CREATE INDEX tables_live ON public.tables USING btree (node) WHERE (state = ANY (ARRAY['waiting'::text, 'playing'::text]));

CREATE INDEX tables_public ON public.tables USING btree (id) WHERE ((visibility = 'public'::text) AND (state = 'waiting'::text));

CREATE UNIQUE INDEX tables_rematch ON public.tables USING btree (rematch_of) WHERE (rematch_of IS NOT NULL);

CREATE INDEX tables_waiting ON public.tables USING btree (room_id, created_at, id) WHERE (state = 'waiting'::text);

CREATE INDEX tickets_expires ON public.tickets USING btree (expires_at);

CREATE INDEX tickets_table ON public.tickets USING btree (table_id);

CREATE INDEX transfers_table ON public.transfers USING btree (table_id) WHERE (table_id IS NOT NULL);

ALTER INDEX public.hands_pkey ATTACH PARTITION public.hands_default_pkey;

ALTER INDEX public.league_games_pkey ATTACH PARTITION public.league_games_default_pkey;

ALTER INDEX public.league_rows_pkey ATTACH PARTITION public.league_rows_default_pkey;

ALTER INDEX public.notifications_pkey ATTACH PARTITION public.notifications_default_pkey;

ALTER INDEX public.notifications_player ATTACH PARTITION public.notifications_default_player;

ALTER INDEX public.season_results_first ATTACH PARTITION public.season_results_default_first;

ALTER INDEX public.season_results_pkey ATTACH PARTITION public.season_results_default_pkey;

CREATE TRIGGER account_guard BEFORE INSERT OR UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION public.ledger_account_guard();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER account_guard;

CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER account_kept;

CREATE TRIGGER audit_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse();

ALTER TABLE public.audit ENABLE ALWAYS TRIGGER audit_kept;

CREATE CONSTRAINT TRIGGER balance_posted AFTER UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ledger_balance_posted();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER balance_posted;

CREATE TRIGGER balances_follow AFTER INSERT ON public.postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_balances_follow();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER balances_follow;

CREATE TRIGGER board_both AFTER UPDATE ON public.board_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.board_note_both();

CREATE TRIGGER board_new AFTER INSERT ON public.board_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.board_note_new();

CREATE TRIGGER board_old AFTER DELETE ON public.board_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.board_note_old();

CREATE TRIGGER game_pays_daily AFTER INSERT ON public.games FOR EACH ROW EXECUTE FUNCTION public.game_pays_daily();

CREATE TRIGGER game_player_points BEFORE INSERT ON public.game_players FOR EACH ROW EXECUTE FUNCTION public.game_player_points();

CREATE TRIGGER invite_level_moves AFTER UPDATE ON public.settings FOR EACH ROW WHEN ((new.name = 'invite_level'::text)) EXECUTE FUNCTION public.invite_level_moves();

CREATE TRIGGER invite_ripens AFTER INSERT ON public.invites FOR EACH ROW EXECUTE FUNCTION public.invite_ripens();

CREATE TRIGGER limit_order_guard BEFORE INSERT ON public.shop_orders FOR EACH ROW EXECUTE FUNCTION public.limit_order_guard();

CREATE TRIGGER limit_seat_guard BEFORE INSERT OR UPDATE OF player_id ON public.seats FOR EACH ROW WHEN ((new.player_id IS NOT NULL)) EXECUTE FUNCTION public.limit_seat_guard();

CREATE TRIGGER player_days_born AFTER INSERT ON public.players FOR EACH ROW EXECUTE FUNCTION public.player_days_born();

CREATE TRIGGER player_played AFTER INSERT ON public.game_players FOR EACH ROW WHEN ((new.player_id IS NOT NULL)) EXECUTE FUNCTION public.player_played();

CREATE TRIGGER player_ripens AFTER UPDATE OF level ON public.players FOR EACH ROW WHEN ((new.level > old.level)) EXECUTE FUNCTION public.player_ripens();

CREATE TRIGGER posting_apply BEFORE INSERT ON public.postings FOR EACH ROW WHEN ((new.id IS NULL)) EXECUTE FUNCTION public.ledger_posting_apply();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER posting_apply;

CREATE TRIGGER posting_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER posting_kept;

CREATE TRIGGER ratings_rank AFTER INSERT OR UPDATE ON public.ratings FOR EACH ROW EXECUTE FUNCTION public.ratings_rank();

CREATE TRIGGER season_prize_tells AFTER UPDATE OF prize_gold ON public.season_results FOR EACH ROW WHEN ((new.prize_gold > old.prize_gold)) EXECUTE FUNCTION public.season_prize_tells();

CREATE TRIGGER season_result_counts AFTER INSERT ON public.season_results REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.season_result_counts();

CREATE TRIGGER season_result_tells AFTER INSERT ON public.season_results REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.season_result_tells();

CREATE TRIGGER shop_event_forgotten BEFORE DELETE ON public.shop_events FOR EACH ROW EXECUTE FUNCTION public.shop_event_forgotten();

ALTER TABLE public.shop_events ENABLE ALWAYS TRIGGER shop_event_forgotten;

CREATE TRIGGER shop_event_guard BEFORE UPDATE ON public.shop_events FOR EACH ROW EXECUTE FUNCTION public.shop_event_guard();

ALTER TABLE public.shop_events ENABLE ALWAYS TRIGGER shop_event_guard;

CREATE TRIGGER shop_event_kept BEFORE TRUNCATE ON public.shop_events FOR EACH STATEMENT EXECUTE FUNCTION public.shop_refuse();

ALTER TABLE public.shop_events ENABLE ALWAYS TRIGGER shop_event_kept;

CREATE TRIGGER shop_log_guard BEFORE INSERT ON public.shop_order_log FOR EACH ROW EXECUTE FUNCTION public.shop_log_guard();

ALTER TABLE public.shop_order_log ENABLE ALWAYS TRIGGER shop_log_guard;

CREATE TRIGGER shop_log_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.shop_order_log FOR EACH STATEMENT EXECUTE FUNCTION public.shop_refuse();

ALTER TABLE public.shop_order_log ENABLE ALWAYS TRIGGER shop_log_kept;

CREATE TRIGGER shop_move_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.shop_moves FOR EACH STATEMENT EXECUTE FUNCTION public.shop_refuse();

ALTER TABLE public.shop_moves ENABLE ALWAYS TRIGGER shop_move_kept;

CREATE CONSTRAINT TRIGGER shop_move_proven AFTER INSERT ON public.shop_moves DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.shop_order_proven();

ALTER TABLE public.shop_moves ENABLE ALWAYS TRIGGER shop_move_proven;

CREATE TRIGGER shop_order_guard BEFORE INSERT OR UPDATE ON public.shop_orders FOR EACH ROW EXECUTE FUNCTION public.shop_order_guard();

ALTER TABLE public.shop_orders ENABLE ALWAYS TRIGGER shop_order_guard;

CREATE TRIGGER shop_order_kept BEFORE DELETE OR TRUNCATE ON public.shop_orders FOR EACH STATEMENT EXECUTE FUNCTION public.shop_refuse();

ALTER TABLE public.shop_orders ENABLE ALWAYS TRIGGER shop_order_kept;

CREATE TRIGGER shop_order_logged AFTER INSERT OR UPDATE ON public.shop_orders FOR EACH ROW EXECUTE FUNCTION public.shop_order_logged();

ALTER TABLE public.shop_orders ENABLE ALWAYS TRIGGER shop_order_logged;

CREATE CONSTRAINT TRIGGER shop_order_proven AFTER INSERT OR UPDATE ON public.shop_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.shop_order_proven();

ALTER TABLE public.shop_orders ENABLE ALWAYS TRIGGER shop_order_proven;

CREATE TRIGGER shop_refund_guard BEFORE UPDATE ON public.shop_refunds FOR EACH ROW EXECUTE FUNCTION public.shop_refund_guard();

ALTER TABLE public.shop_refunds ENABLE ALWAYS TRIGGER shop_refund_guard;

CREATE TRIGGER shop_refund_kept BEFORE DELETE OR TRUNCATE ON public.shop_refunds FOR EACH STATEMENT EXECUTE FUNCTION public.shop_refuse();

ALTER TABLE public.shop_refunds ENABLE ALWAYS TRIGGER shop_refund_kept;

CREATE CONSTRAINT TRIGGER shop_transfer_of_order AFTER INSERT ON public.transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.cause = ANY (ARRAY['shop'::text, 'shop_back'::text]))) EXECUTE FUNCTION public.shop_transfer_of_order();

ALTER TABLE public.transfers ENABLE ALWAYS TRIGGER shop_transfer_of_order;

CREATE TRIGGER table_counts AFTER UPDATE OF state ON public.tables FOR EACH ROW WHEN (((new.state = 'finished'::text) AND (old.state <> 'finished'::text))) EXECUTE FUNCTION public.table_counts();

CREATE TRIGGER tables_watch_delay BEFORE INSERT ON public.tables FOR EACH ROW WHEN ((new.room_id IS NOT NULL)) EXECUTE FUNCTION public.pin_watch_delay();

CREATE TRIGGER transfer_balanced AFTER INSERT ON public.postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_transfer_balanced();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER transfer_balanced;

CREATE TRIGGER transfer_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.transfers ENABLE ALWAYS TRIGGER transfer_kept;

CREATE CONSTRAINT TRIGGER transfer_posted AFTER INSERT ON public.transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ledger_transfer_posted();

ALTER TABLE public.transfers ENABLE ALWAYS TRIGGER transfer_posted;

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_cause_fkey FOREIGN KEY (cause) REFERENCES public.causes(cause);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.admin_answers
    ADD CONSTRAINT admin_answers_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.alone_games
    ADD CONSTRAINT alone_games_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.board_pieces
    ADD CONSTRAINT board_pieces_board_id_fkey FOREIGN KEY (board_id) REFERENCES public.boards(id);

ALTER TABLE ONLY public.board_tops
    ADD CONSTRAINT board_tops_board_id_fkey FOREIGN KEY (board_id) REFERENCES public.boards(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_from_id_fkey FOREIGN KEY (from_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_to_id_fkey FOREIGN KEY (to_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.games(id);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.guest_devices
    ADD CONSTRAINT guest_devices_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE public.hands
    ADD CONSTRAINT hands_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.invite_codes
    ADD CONSTRAINT invite_codes_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.invites_due
    ADD CONSTRAINT invites_due_invited_id_fkey FOREIGN KEY (invited_id) REFERENCES public.invites(invited_id);

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_invited_id_fkey FOREIGN KEY (invited_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_job_fkey FOREIGN KEY (job) REFERENCES public.jobs(job);

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE public.league_games
    ADD CONSTRAINT league_games_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE public.league_games
    ADD CONSTRAINT league_games_season_no_fkey FOREIGN KEY (season_no) REFERENCES public.seasons(no);

ALTER TABLE ONLY public.league_members
    ADD CONSTRAINT league_members_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.league_prizes
    ADD CONSTRAINT league_prizes_league_id_fkey FOREIGN KEY (league_id) REFERENCES public.leagues(id);

ALTER TABLE ONLY public.leagues
    ADD CONSTRAINT leagues_id_fkey FOREIGN KEY (id) REFERENCES public.rooms(id);

ALTER TABLE ONLY public.levels
    ADD CONSTRAINT levels_title_fkey FOREIGN KEY (title) REFERENCES public.titles(name);

ALTER TABLE ONLY public.month_winners
    ADD CONSTRAINT month_winners_period_fkey FOREIGN KEY (period) REFERENCES public.month_closings(period);

ALTER TABLE ONLY public.month_winners
    ADD CONSTRAINT month_winners_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.partitions
    ADD CONSTRAINT partitions_parent_fkey FOREIGN KEY (parent) REFERENCES public.partitioned(parent);

ALTER TABLE ONLY public.play_limits
    ADD CONSTRAINT play_limits_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_achievements
    ADD CONSTRAINT player_achievements_achievement_id_fkey FOREIGN KEY (achievement_id) REFERENCES public.achievements(id);

ALTER TABLE ONLY public.player_achievements
    ADD CONSTRAINT player_achievements_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_bars
    ADD CONSTRAINT player_bars_other_id_fkey FOREIGN KEY (other_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_bars
    ADD CONSTRAINT player_bars_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_counters
    ADD CONSTRAINT player_counters_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_days
    ADD CONSTRAINT player_days_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_notes
    ADD CONSTRAINT player_notes_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.player_notes
    ADD CONSTRAINT player_notes_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.player_stats
    ADD CONSTRAINT player_stats_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.players_apart
    ADD CONSTRAINT players_apart_high_id_fkey FOREIGN KEY (high_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.players_apart
    ADD CONSTRAINT players_apart_low_id_fkey FOREIGN KEY (low_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_level_fkey FOREIGN KEY (level) REFERENCES public.levels(level);

ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_reported_id_fkey FOREIGN KEY (reported_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_title_fkey FOREIGN KEY (title) REFERENCES public.titles(name);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.shop_events
    ADD CONSTRAINT shop_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.shop_orders(id);

ALTER TABLE ONLY public.shop_flags
    ADD CONSTRAINT shop_flags_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.shop_orders(id);

ALTER TABLE ONLY public.shop_moves
    ADD CONSTRAINT shop_moves_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.shop_orders(id);

ALTER TABLE ONLY public.shop_moves
    ADD CONSTRAINT shop_moves_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

ALTER TABLE ONLY public.shop_order_log
    ADD CONSTRAINT shop_order_log_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.shop_orders(id);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_pack_id_fkey FOREIGN KEY (pack_id) REFERENCES public.shop_packs(id);

ALTER TABLE ONLY public.shop_orders
    ADD CONSTRAINT shop_orders_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.shop_refunds
    ADD CONSTRAINT shop_refunds_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.shop_refunds
    ADD CONSTRAINT shop_refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.shop_orders(id);

ALTER TABLE ONLY public.table_chat
    ADD CONSTRAINT table_chat_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.table_chat
    ADD CONSTRAINT table_chat_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_node_fkey FOREIGN KEY (node) REFERENCES public.nodes(name);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_rematch_of_fkey FOREIGN KEY (rematch_of) REFERENCES public.tables(id);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_cause_fkey FOREIGN KEY (cause) REFERENCES public.causes(cause);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

