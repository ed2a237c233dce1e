-- Start, settlement and cancelling of a game. Called by the node that owns the table, with its epoch.

-- Beyond the daily number of games alone with bots a game is practice: the stake goes back and
-- nothing is won. Decided when the game starts, for only then is it known who sits; the day is
-- that of the start. Returns whether it is.
CREATE FUNCTION start_alone(p_table tables) RETURNS boolean
    LANGUAGE plpgsql AS $$
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

-- Fills the free seats with bots (names in the order given) and starts. p_client_seeds: one for each
-- seat, empty where none was sent. code: ok, already_done, no_such_table, stale_epoch, table_over,
-- table_empty, seats_free (the room has no bots), too_few_bots (names or seeds).
CREATE FUNCTION do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer,
                               p_client_seeds bytea[])
    RETURNS TABLE (code text, practice boolean)
    LANGUAGE plpgsql AS $$
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
                   WHEN v_table.people_n < v_table.seats_n AND NOT (SELECT bots FROM rooms WHERE id = v_table.room_id)
                   THEN 'seats_free'
                   WHEN cardinality(p_bot_nicknames) < v_table.seats_n - v_table.people_n
                        OR cardinality(p_client_seeds) <> v_table.seats_n THEN 'too_few_bots'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        INSERT INTO seats (table_id, seat, bot_level, nickname)
        SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
        FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n FROM generate_series(0, v_table.seats_n - 1) g
              WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        IF v_table.people_n = 1 THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

-- Ends a table without a result: every stake goes back exactly. code: ok, already_done, no_such_table,
-- stale_epoch, table_over (finished).
CREATE FUNCTION do_cancel_table(p_table bigint, p_epoch bigint, p_reason text) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
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

-- Adds Clover points and climbs as many levels as they reach; each level's reward is paid in gold
-- (`level:<player>:<level>`). The caller holds the player's lock. Returns the gold.
CREATE FUNCTION add_clover(p_player bigint, p_points bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
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

-- floor(points won * scale / (games * most points of a game)).
CREATE FUNCTION rating_of(p_points bigint, p_games bigint) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_points * setting_int('rating_scale') / (p_games * setting_int('game_points_max')))::integer);
END $$;

-- Counts a rated game, for all time and for the month. Returns the rating of all time.
CREATE FUNCTION add_rating(p_player bigint, p_variant text, p_at timestamptz, p_points bigint, p_won boolean, p_rummy boolean)
    RETURNS integer
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, rating_of(p_points, 1)
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, rating = rating_of(r.points + excluded.points, r.games + 1);
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

-- Points of a game for a place, for having opened and for cards thrown.
CREATE FUNCTION game_points(p_variant text, p_place integer, p_opened boolean, p_cards_left integer) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT least(setting_int('game_points_max'),
                         coalesce((SELECT points FROM place_points WHERE variant = p_variant AND place = p_place), 0)
                         + CASE WHEN p_opened THEN setting_int('opened_points') ELSE 0 END
                         + greatest(0, setting_int('thrown_points') - p_cards_left))::integer);
END $$;

-- floor((points + bonus for a Rummy) * multiplier).
CREATE FUNCTION clover_of(p_game_points integer, p_rummy boolean, p_multiplier_tenths integer) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_game_points + CASE WHEN p_rummy THEN setting_int('rummy_clover_points') ELSE 0 END) * p_multiplier_tenths / 10);
END $$;

-- The lines that settle one seat. p_outcome: won (stake back and reward), lost, back (stake only).
CREATE FUNCTION settle_legs(p_seat seats, p_outcome text, p_stake bigint, p_reward bigint) RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_lost boolean := p_outcome = 'lost';
    v_legs ledger_leg[];
    v_gold bigint;
BEGIN
    v_legs := ARRAY[
        ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_seat.stake_silver, 'stake'),
        ROW(CASE WHEN v_lost THEN account_house('stake', 'silver') ELSE account_purse(p_seat.player_id, 'silver') END,
            p_seat.stake_silver, CASE WHEN v_lost THEN 'stake_lost' ELSE 'stake_back' END),
        ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_seat.stake_gold, 'stake'),
        ROW(CASE WHEN v_lost THEN account_house('stake', 'gold') ELSE account_purse(p_seat.player_id, 'gold') END,
            p_seat.stake_gold, CASE WHEN v_lost THEN 'stake_lost' ELSE 'stake_back' END)]::ledger_leg[];
    IF p_outcome = 'won' THEN
        -- Who plays with gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

-- Settles the chips of all seats in one transfer and notes what each purse won or lost by the game:
-- what reached it, less what the seat had cost. Without a winner the stakes go back, except of those who left.
CREATE FUNCTION settle_chips(p_table tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat     seats;
    v_result   game_players;
    v_legs     ledger_leg[] := '{}';
    v_winner   boolean := EXISTS (SELECT 1 FROM game_players WHERE game_id = p_game AND won);
    v_transfer bigint;
BEGIN
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL ORDER BY seat LOOP
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

-- The stored result of a table, a row for each seat.
CREATE FUNCTION q_settled(p_table bigint, p_code text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint,
                   level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p_code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover, p.silver, p.gold,
           p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating, g.rated, g.practice
    FROM games g JOIN game_players p ON p.game_id = g.id
    WHERE g.table_id = p_table
    ORDER BY p.seat
$$;

-- Clover points, levels and ratings of one person's result.
CREATE FUNCTION settle_points(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_before integer;
    v_points integer := game_points(p_game.variant, p_result.place, p_result.opened, p_result.cards_left);
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF NOT p_game.practice THEN
        v_clover := clover_of(v_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated THEN
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, v_points, p_result.won, p_result.rummy);
    END IF;
    UPDATE game_players g
    SET game_points = v_points, clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

-- Stores the game and the bare results. p_results: [{"seat","place","points","opened","cards_left","rummy","left"}…].
-- Returns the game; NULL when the results do not name each seat of the table once.
CREATE FUNCTION store_game(p_table tables, p_ending text, p_results jsonb, p_record text) RETURNS games
    LANGUAGE plpgsql AS $$
DECLARE
    v_game   games;
    v_stored bigint;
BEGIN
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                       practice, ending, moves_n, server_seed, commit, started_at, record)
    VALUES (p_table.id, p_table.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min'), p_table.practice, p_ending,
            (SELECT count(*) FROM journal WHERE table_id = p_table.id), p_table.server_seed, p_table.commit,
            p_table.started_at, p_record)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar, s.client_seed, r.place, r.points, r.opened,
           r.cards_left, r.place = 1 AND p_ending = 'out', r.rummy, r."left"
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, opened boolean,
                                             cards_left smallint, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;

-- Ends a played table: game and record stored, points, levels, ratings and chips settled, journal
-- folded away, all in the caller's transaction and once only. A row for each seat, code in each:
-- ok, already_done (the stored result); or one row with only a code: no_such_table, stale_epoch,
-- not_playing. p_ending: out, no_cards, stalled. Raises when the results do not fit the table.
CREATE FUNCTION do_settle_table(p_table bigint, p_epoch bigint, p_ending text, p_results jsonb, p_record text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint,
                   level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE plpgsql AS $$
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
