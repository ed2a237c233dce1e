-- Chips at tables that players open, of the variants that have no rooms of their own. A stake of one of the rooms: all stakes go
-- into a pot, the winner takes it, several winners share it, odd chips in turn order. Or a point value: each seat holds the most a hand can
-- cost, pays its points, and who won gets the sum. Chips keep their colour on the way; silver over the winner's cap is lost.

ALTER TABLE tables ADD COLUMN point_value smallint NOT NULL DEFAULT 0 CHECK (point_value >= 0);

INSERT INTO settings (name, value, about) VALUES
    ('point_value_max',  '2',  'most chips a point may cost'),
    ('point_value_hold', '80', 'points held for each seat of a table with a point value');

-- Why the player may not sit where chips are at stake so, or NULL. code: stake_private (private tables play without chips),
-- stake_bots, stake_variant (the variant is not played for this), stake_unknown (no room has this stake), room_locked, no_funds.
-- Who joins (not p_opens) finds the table as it was opened, whatever the rooms' stakes are by now.
CREATE FUNCTION stake_refusal(p_player bigint, p_variant text, p_visibility text, p_bots integer, p_stake bigint, p_point_value integer,
                              p_opens boolean)
    RETURNS text
    LANGUAGE plpgsql STABLE AS $$
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

DROP FUNCTION do_open_table(bigint, text, text, jsonb, integer, text, integer, integer, text, bytea, uuid, bytea, bytea, text, text[]);

-- Opens a table with its creator in seat 0. p_bots seats are kept for bots. p_codes: random ones; the first that
-- no live table bears enters a private table.
-- code: ok, no_such_player, banned, too_many_tables, idempotency_key_reused, busy (each code is another table's), and those
-- of stake_refusal.
CREATE FUNCTION do_open_table(p_player bigint, p_variant text, p_params text, p_options jsonb, p_seats integer,
                              p_visibility text, p_bots integer, p_bot_level integer, p_idem_key text,
                              p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text,
                              p_codes text[], p_stake bigint, p_point_value integer)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean, join_code text)
    LANGUAGE plpgsql AS $$
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
                                server_seed, commit, fill_at, visibility, creator_id, bots_n, bot_level, code)
            VALUES (p_variant, p_params, p_options, p_seats,
                    CASE WHEN p_point_value > 0 THEN p_point_value * setting_int('point_value_hold') ELSE p_stake END,
                    p_point_value, 0, 0, p_visibility = 'private', p_node, p_server_seed,
                    p_commit, now() + make_interval(secs => setting_int('custom_wait_ms') / 1000.0), p_visibility,
                    p_player, p_bots, p_bot_level, v_join)
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

-- Takes a seat at a table of players: at a public one by its id, at a private one by its code (the other is NULL).
-- Who has a seat there gets a ticket for it. code: ok, no_such_player, banned, no_such_table, table_over,
-- table_full (or playing), too_many_tables, idempotency_key_reused, and those of stake_refusal.
CREATE OR REPLACE FUNCTION do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea,
                              p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean, join_code text)
    LANGUAGE plpgsql AS $$
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
                       WHEN v_table.state <> 'waiting' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                       THEN 'table_full'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       ELSE stake_refusal(p_player, v_table.variant, v_table.visibility, v_table.bots_n,
                                          CASE WHEN v_table.point_value > 0 THEN 0 ELSE v_table.stake END, v_table.point_value,
                                          false) END;
        IF v_code IS NULL THEN
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

-- What each seat pays into the pot, silver before gold: a loser his stake, or his points times their value.
CREATE FUNCTION pot_payments(p_table tables, p_game bigint)
    RETURNS TABLE (seat smallint, player_id bigint, won boolean, stake_silver bigint, stake_gold bigint, silver bigint, gold bigint)
    LANGUAGE sql STABLE AS $$
    SELECT s.seat, s.player_id, g.won, s.stake_silver, s.stake_gold, least(s.stake_silver, p.pays),
           least(s.stake_gold, p.pays - least(s.stake_silver, p.pays))
    FROM seats s JOIN game_players g ON g.game_id = p_game AND g.seat = s.seat
    CROSS JOIN LATERAL (SELECT CASE WHEN g.won THEN 0
                                    WHEN p_table.point_value > 0 THEN least(greatest(g.points, 0) * p_table.point_value, p_table.stake)
                                    ELSE p_table.stake END AS pays) p
    WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL
$$;

-- The lines that settle a table with a winner: what a seat did not pay goes back to its purse, the pot to the winners. Of either
-- colour each gets the same, and what is left over goes one by one in turn order, gold where silver stopped.
CREATE FUNCTION pot_legs(p_table tables, p_game bigint) RETURNS ledger_leg[]
    LANGUAGE plpgsql STABLE AS $$
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

-- As in 0009, with the pot of tables that players open. Settles the chips of all seats in one transfer and notes what each purse won or lost by the game:
-- what reached it, less what the seat had cost. Without a winner the stakes go back, except of those who left.
CREATE OR REPLACE FUNCTION settle_chips(p_table tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql AS $$
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
