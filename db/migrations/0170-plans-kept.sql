-- A function of LANGUAGE sql that cannot be written into the statement that calls it is read and planned anew in each of them: half a millisecond for
-- what then takes twenty microseconds. In the way of a seat, of a game that ends and of a guest such functions are of plpgsql, which keeps its plans.
-- It also plans anew, for each call, what looks cheaper for the one array it has than for any: there the plan for any is as good, and is asked for.

CREATE OR REPLACE FUNCTION is_barred(p_player bigint, p_table bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM seats s JOIN player_bars b ON b.blocked
            AND ((b.player_id = p_player AND b.other_id = s.player_id) OR (b.player_id = s.player_id AND b.other_id = p_player))
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL)
    OR EXISTS (
        SELECT 1 FROM seats s JOIN players_apart a ON a.low_id = least(p_player, s.player_id) AND a.high_id = greatest(p_player, s.player_id)
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL);
END $$;

CREATE OR REPLACE FUNCTION rating_bands(p_player bigint, p_table tables) RETURNS integer LANGUAGE plpgsql STABLE AS $$
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

-- No series, which would be thought to have a thousand seats; a table has six at most.
CREATE OR REPLACE FUNCTION seat_player(p_player bigint, p_table tables) RETURNS smallint LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION notify_player(p_player bigint, p_kind text, p_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data) VALUES (p_player, p_kind, p_data);
END $$;

CREATE OR REPLACE FUNCTION tell_level(p_result game_players) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_result.levels_gained > 0 THEN
        PERFORM notify_player(p_result.player_id, 'level', jsonb_build_object(
            'level', p_result.level, 'title', p_result.title, 'gold', p_result.level_gold,
            'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]') FROM rooms r JOIN titles t ON t.name = r.title
                      WHERE t.level_from > p_result.level - p_result.levels_gained AND t.level_from <= p_result.level)));
    END IF;
END $$;

-- Two statements: one plan for one player and for all of them would read all for each.
CREATE OR REPLACE FUNCTION invites_ripen(p_invited bigint) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION pack_seeds(p_seeds bytea[]) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT string_agg(set_byte('\x00', 0, octet_length(s)) || s, '' ORDER BY n)
            FROM unnest(p_seeds) WITH ORDINALITY AS u (s, n));
END $$;

CREATE OR REPLACE FUNCTION do_refresh_issue(p_player bigint, p_token_hash bytea, p_family uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO refresh_tokens (token_hash, family, player_id, expires_at)
    VALUES (p_token_hash, p_family, p_player, now() + make_interval(secs => setting_int('refresh_ttl_s')));
END $$;

CREATE OR REPLACE FUNCTION limit_of(p_player bigint, p_kind text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((SELECT CASE WHEN next_at <= now() THEN next_value ELSE value END FROM play_limits
                     WHERE player_id = p_player AND kind = p_kind), limit_none(p_kind));
END $$;

CREATE OR REPLACE FUNCTION has_blocked(p_by bigint, p_other bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM player_bars WHERE player_id = p_by AND other_id = p_other AND blocked);
END $$;

-- What they call, triggers and all, is planned for any argument too. A start and an end know one table and its few players.
ALTER FUNCTION do_settle_table(bigint, bigint, text, jsonb, text) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION do_start_table(bigint, bigint, text[], integer, bytea[]) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION do_daily_bonus(bigint[], timestamptz) SET plan_cache_mode = force_generic_plan;
