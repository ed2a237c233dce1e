-- How games were settled before the set-based settlement: one game at a time, seat by seat, with some three
-- hundred statements. It is slow, simple, and written independently of db/functions/settle, so
-- test_settle_sets.py uses it as an oracle. It is applied only to that test's databases.
--
-- Row triggers computed what follows from a row (the daily bonus, streaks, boards, statistics of a finished
-- table). They are included here and fire in a session in replica mode, like those of the ledger; the
-- schema's other triggers do not fire there.

SET check_function_bodies = off;

CREATE OR REPLACE FUNCTION oracle_do_settle_table(p_table bigint, p_epoch bigint, p_ending text, p_results jsonb,
                                           p_record text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint,
                   level_gold bigint, level integer, levels_gained integer, title text, rating integer,
                   rated boolean, practice boolean, took_part boolean, same_people boolean)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' THEN 'not_playing' END;
    IF v_code IS NOT NULL AND v_code <> 'already_done' THEN
        code := v_code;
        RETURN NEXT;
        RETURN;
    END IF;
    IF v_code IS NULL THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        v_game := oracle_store_game(v_table, p_ending, p_results, p_record);
        -- Levels first, so that the cap of the level reached in this game limits the reward.
        FOR v_result IN SELECT * FROM game_players g WHERE g.game_id = v_game.id AND g.player_id IS NOT NULL
                        ORDER BY g.player_id LOOP
            PERFORM oracle_settle_points(v_game, v_result);
        END LOOP;
        IF NOT v_table.practice THEN
            PERFORM oracle_settle_chips(v_table, v_game.id);
        END IF;
        DELETE FROM journal j WHERE j.table_id = p_table;
        UPDATE seats s SET live = false WHERE s.table_id = p_table;
        UPDATE tables SET state = 'finished', ended_at = v_game.ended_at WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT * FROM oracle_q_settled(p_table, coalesce(v_code, 'ok'));
END $$;

-- Counts a meeting of all pairs at the table, and returns the players who have now met all others too often.
CREATE OR REPLACE FUNCTION oracle_meet(p_table tables) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_one   bigint;
    v_other bigint;
    v_row   meetings;
    v_fresh boolean;
    v_bored bigint[] := '{}';
BEGIN
    IF p_table.practice THEN
        RETURN '{}';
    END IF;
    FOR v_one IN SELECT player_id FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL LOOP
        FOR v_other IN SELECT player_id FROM seats WHERE table_id = p_table.id AND player_id > v_one LOOP
            SELECT * INTO v_row FROM meetings WHERE low_id = v_one AND high_id = v_other;
            IF NOT FOUND THEN
                INSERT INTO meetings VALUES (v_one, v_other, local_day(now()), 1);
            ELSIF v_row.day <> local_day(now()) THEN
                UPDATE meetings SET day = local_day(now()), games = 1 WHERE low_id = v_one AND high_id = v_other;
            ELSE
                UPDATE meetings SET games = v_row.games + 1 WHERE low_id = v_one AND high_id = v_other;
            END IF;
        END LOOP;
    END LOOP;
    FOR v_one IN SELECT player_id FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL LOOP
        v_fresh := p_table.people_n = 1;
        FOR v_other IN SELECT player_id FROM seats WHERE table_id = p_table.id AND player_id <> v_one LOOP
            SELECT * INTO STRICT v_row FROM meetings
            WHERE low_id = least(v_one, v_other) AND high_id = greatest(v_one, v_other);
            v_fresh := v_fresh OR v_row.games <= setting_int('same_players_games_per_day');
        END LOOP;
        IF NOT v_fresh THEN
            v_bored := v_bored || v_one;
        END IF;
    END LOOP;
    RETURN v_bored;
END $$;

-- The seats of a table whose players acted themselves in enough of their turns, then the seats that had no
-- turn.
CREATE OR REPLACE FUNCTION oracle_players(p_table bigint, p_results jsonb) RETURNS smallint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_result jsonb;
    v_played smallint[] := '{}';
    v_idle   smallint[] := '{}';
BEGIN
    FOR v_result IN SELECT * FROM jsonb_array_elements(p_results) LOOP
        CONTINUE WHEN v_result->'left' = 'true'
            OR NOT EXISTS (SELECT 1 FROM seats WHERE table_id = p_table AND player_id IS NOT NULL
                           AND seat = (v_result->>'seat')::smallint);
        IF NOT v_result ? 'turns' THEN
            v_played := v_played || (v_result->>'seat')::smallint;
        ELSIF v_result->'turns' = '0' THEN
            v_idle := v_idle || (v_result->>'seat')::smallint;
        ELSIF v_result->'own_turns' <> '0' AND (v_result->>'own_turns')::numeric / (v_result->>'turns')::numeric
                                               >= setting_int('took_part_percent')::numeric / 100 THEN
            v_played := v_played || (v_result->>'seat')::smallint;
        END IF;
    END LOOP;
    RETURN CASE WHEN v_played = '{}' THEN v_played ELSE v_played || v_idle END;
END $$;

CREATE OR REPLACE FUNCTION oracle_store_game(p_table tables, p_ending text, p_results jsonb, p_record text)
    RETURNS games
    LANGUAGE plpgsql AS $$
DECLARE
    v_game   games;
    v_hand   hands;
    v_stored bigint;
    v_bored  bigint[]   := oracle_meet(p_table);
    v_played smallint[] := oracle_players(p_table.id, p_results);
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
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths,
                       people_n, rated, practice, ending, moves_n, server_seed, commit, started_at)
    VALUES (p_table.id, v_hand.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_players_min') AND p_table.visibility <> 'private'
                AND EXISTS (SELECT 1 FROM seats WHERE table_id = p_table.id AND seat = ANY (v_played)
                            AND player_id <> ALL (v_bored)),
            p_table.practice,
            p_ending, (SELECT count(*) FROM journal WHERE table_id = p_table.id), v_hand.server_seed,
            v_hand.commit, p_table.started_at)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points, variant, turns, own_turns,
                              took_part, same_people)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar,
           decode(coalesce((unpack_seeds(v_hand.client_seeds))[s.seat + 1], ''), 'hex'), r.place,
           coalesce(r.total, r.points), r.opened,
           r.cards_left, coalesce(r.won, r.place = 1 AND p_ending = 'out'), r.rummy, r."left",
           oracle_game_points(p_table.variant, r.place, r.opened, r.cards_left), p_table.variant, r.turns,
           r.own_turns, s.player_id IS NULL OR s.seat = ANY (v_played),
           s.player_id IS NOT NULL AND s.player_id = ANY (v_bored)
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, total integer,
                                             opened boolean,
                                             cards_left smallint, won boolean, rummy boolean, "left" boolean,
                                             turns smallint, own_turns smallint)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;

CREATE OR REPLACE FUNCTION oracle_settle_points(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_before integer;
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF NOT p_game.practice AND has_place_points(p_game.variant) AND p_result.took_part
       AND NOT p_result.same_people THEN
        v_clover := oracle_clover_of(p_result.game_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := oracle_add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated AND NOT p_result.same_people AND NOT p_result.took_part THEN
        PERFORM oracle_lose_rating(p_result.player_id, p_game.variant, p_game.ended_at);
    ELSIF p_game.rated AND NOT p_result.same_people THEN
        PERFORM oracle_add_rating(p_result.player_id, p_game.variant, p_game.ended_at, p_result.game_points,
                           p_result.won, p_result.rummy, v_clover);
    END IF;
    UPDATE game_players g
    SET clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

CREATE OR REPLACE FUNCTION oracle_add_clover(p_player bigint, p_points bigint) RETURNS bigint
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

CREATE OR REPLACE FUNCTION oracle_add_rating(p_player bigint, p_variant text, p_at timestamptz, p_points bigint,
                                      p_won boolean, p_rummy boolean, p_clover bigint DEFAULT 0)
    RETURNS integer
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating, clover)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, oracle_rating_of(p_points, 1),
           p_clover
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies,
        rating = oracle_rating_of(r.points + excluded.points, r.games + r.lost + 1),
        clover = r.clover + excluded.clover;
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

CREATE OR REPLACE FUNCTION oracle_lose_rating(p_player bigint, p_variant text, p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_period text;
BEGIN
    FOREACH v_period IN ARRAY ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all'] LOOP
        UPDATE ratings r SET lost = r.lost + 1, rating = oracle_rating_of(r.points, r.games + r.lost + 1)
        WHERE r.player_id = p_player AND r.variant = p_variant AND r.period = v_period;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION oracle_settle_chips(p_table tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat     seats;
    v_result   game_players;
    v_legs     ledger_leg[] := '{}';
    v_winner   boolean := EXISTS (SELECT 1 FROM game_players WHERE game_id = p_game AND won);
    v_transfer bigint;
BEGIN
    IF p_table.room_id IS NULL AND v_winner AND p_table.stake > 0 THEN -- a bot may win at a table without a stake
        v_legs := oracle_pot_legs(p_table, p_game);
    END IF;
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL
                  AND (p_table.room_id IS NOT NULL OR NOT v_winner) ORDER BY seat LOOP
        SELECT * INTO STRICT v_result FROM game_players WHERE game_id = p_game AND seat = v_seat.seat;
        v_legs := v_legs || oracle_settle_legs(v_seat, CASE WHEN p_table.room_id IS NOT NULL AND v_result.same_people
                                                          AND NOT v_result.left_early THEN 'back'
                                                     WHEN v_result.won AND v_result.took_part THEN 'won'
                                                     WHEN v_result.won THEN 'back'
                                                     WHEN v_winner OR v_result.left_early THEN 'lost'
                                                     ELSE 'back' END,
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

CREATE OR REPLACE FUNCTION oracle_settle_legs(p_seat seats, p_outcome text, p_stake bigint, p_reward bigint)
    RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
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
            ROW(CASE WHEN v_lost THEN account_house('stake', v_currency)
                     ELSE account_purse(p_seat.player_id, v_currency) END, v_stake, v_reason)
            ]::ledger_leg[];
    END LOOP;
    IF p_outcome = 'won' THEN
        -- A stake in gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

CREATE OR REPLACE FUNCTION oracle_pot_payments(p_table tables, p_game bigint)
    RETURNS TABLE (seat smallint, player_id bigint, won boolean, stake_silver bigint, stake_gold bigint,
                   silver bigint, gold bigint)
    LANGUAGE sql STABLE AS $$
    SELECT s.seat, s.player_id, g.won, s.stake_silver, s.stake_gold, least(s.stake_silver, p.pays),
           least(s.stake_gold, p.pays - least(s.stake_silver, p.pays))
    FROM seats s JOIN game_players g ON g.game_id = p_game AND g.seat = s.seat
    CROSS JOIN LATERAL (SELECT CASE WHEN g.won THEN 0
                                    WHEN p_table.point_value > 0
                                       THEN least(greatest(g.points, 0) * p_table.point_value, p_table.stake)
                                    ELSE p_table.stake END AS pays) p
    WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION oracle_pot_legs(p_table tables, p_game bigint) RETURNS ledger_leg[]
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
    FROM oracle_pot_payments(p_table, p_game);
    FOR v_row IN SELECT * FROM oracle_pot_payments(p_table, p_game) ORDER BY seat LOOP
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_table.id, v_row.player_id, 'silver'), -v_row.stake_silver, 'stake'),
            ROW(account_purse(v_row.player_id, 'silver'), v_row.stake_silver - v_row.silver, 'stake_back'),
            ROW(account_hold(p_table.id, v_row.player_id, 'gold'), -v_row.stake_gold, 'stake'),
            ROW(account_purse(v_row.player_id, 'gold'), v_row.stake_gold - v_row.gold,
                'stake_back')]::ledger_leg[];
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

CREATE OR REPLACE FUNCTION oracle_game_points(p_variant text, p_place integer, p_opened boolean,
                                       p_cards_left integer)
    RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT least(setting_int('game_points_max'),
                         coalesce((SELECT points FROM place_points
                                   WHERE variant = p_variant AND place = p_place), 0)
                         + CASE WHEN p_opened THEN setting_int('opened_points') ELSE 0 END
                         + greatest(0, setting_int('discarded_points') - p_cards_left))::integer);
END $$;

CREATE OR REPLACE FUNCTION oracle_clover_of(p_game_points integer, p_rummy boolean, p_multiplier_tenths integer)
    RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_game_points + CASE WHEN p_rummy THEN setting_int('rummy_clover_points') ELSE 0 END)
            * p_multiplier_tenths / 10);
END $$;

CREATE OR REPLACE FUNCTION oracle_rating_of(p_points bigint, p_games bigint) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_points * setting_int('rating_scale')
                    / (p_games * setting_int('game_points_max')))::integer);
END $$;

CREATE OR REPLACE FUNCTION oracle_variant_points(p_place integer, p_seats integer) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT floor(setting_int('variant_points_max')
                         - setting_int('variant_points_span') * (p_place - 1)::numeric
                             / greatest(1, p_seats - 1))::integer);
END $$;

CREATE OR REPLACE FUNCTION oracle_q_settled(p_table bigint, p_code text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint,
                   level_gold bigint, level integer, levels_gained integer, title text, rating integer,
                   rated boolean, practice boolean, took_part boolean, same_people boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p_code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover, p.silver, p.gold,
           p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating,
           g.rated AND p.took_part AND NOT p.same_people, g.practice, p.took_part, p.same_people
    FROM games g JOIN game_players p ON p.game_id = g.id
    WHERE g.table_id = p_table
    ORDER BY p.seat
$$;

CREATE OR REPLACE FUNCTION oracle_game_player_points() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_seats integer;
BEGIN
    SELECT t.seats_n INTO v_seats FROM games g JOIN tables t ON t.id = g.table_id
    WHERE g.id = NEW.game_id AND NOT has_place_points(g.variant);
    IF FOUND THEN
        NEW.game_points := oracle_variant_points(NEW.place, v_seats);
    END IF;
    IF NOT NEW.took_part THEN
        NEW.game_points := 0;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION oracle_pay_daily_before_game() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats
                                 WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION oracle_note_day_played(p_player bigint, p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = s.streak, streak_best = greatest(d.streak_best, s.streak)
    FROM (SELECT player_id, streak_before(o, v_day) + 1 AS streak FROM player_days o
          WHERE o.player_id = p_player) s
    WHERE d.player_id = s.player_id AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

CREATE OR REPLACE FUNCTION oracle_note_player_played() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM oracle_note_day_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION oracle_rank_rating() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_kind   text;
    v_boards integer[] := '{}';
    v_scores bigint[] := '{}';
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['rating', 'clover', 'wins', 'rummies'] LOOP
        IF (CASE v_kind WHEN 'rating' THEN NEW.games >= setting_int('rating_games_min')
                 ELSE board_score(v_kind, NEW) > 0 END)
           AND (TG_OP = 'INSERT' OR board_score(v_kind, NEW) <> board_score(v_kind, OLD)) THEN
            v_boards := v_boards || board_of(v_kind, NEW.variant, NEW.period);
            v_scores := v_scores || board_score(v_kind, NEW);
        END IF;
    END LOOP;
    IF cardinality(v_boards) > 0 THEN
        INSERT INTO board_entries AS e (board_id, player_id, score)
        SELECT u.board_id, NEW.player_id, u.score FROM unnest(v_boards, v_scores) u (board_id, score)
        ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score
        WHERE e.score <> excluded.score;
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION oracle_count_finished_table() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
    v_players  bigint[] := '{}';
    v_points   bigint[] := '{}';
    v_won      boolean[] := '{}';
    v_lost     bigint[] := '{}';
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_game.id IS NULL OR v_game.practice THEN
        RETURN NULL;
    END IF;
    UPDATE game_players g SET facts = r.facts
    FROM hands h CROSS JOIN LATERAL jsonb_to_recordset(h.results) AS r (seat smallint, facts jsonb)
    WHERE h.table_id = NEW.id AND h.hand_no = v_game.hand_no AND g.game_id = v_game.id AND g.seat = r.seat
      AND r.facts IS NOT NULL;
    PERFORM oracle_count_stats(v_game);
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL
                    ORDER BY player_id LOOP
        IF v_game.rated AND NOT v_result.took_part AND NOT v_result.same_people THEN
            UPDATE player_counters SET n = 0 WHERE player_id = v_result.player_id AND counter = 'wins_in_row';
            v_lost := v_lost || v_result.player_id;
        END IF;
        CONTINUE WHEN v_result.same_people OR NOT v_result.took_part;
        IF v_game.rated THEN
            PERFORM oracle_note_invite_due(v_result.player_id);
        END IF;
        PERFORM oracle_notify_level(v_result);
        PERFORM oracle_count_achievements(v_game, v_result);
        PERFORM oracle_count_quests(v_game, v_result);
        v_players := v_players || v_result.player_id;
        v_points := v_points || v_result.game_points::bigint;
        v_won := v_won || v_result.won;
    END LOOP;
    IF v_game.rated AND v_position IS NOT NULL THEN
        PERFORM oracle_count_league_games(v_players, v_position, v_points, v_won, v_game.ended_at, v_lost);
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION oracle_count_stats(p_game games) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_stats (player_id, variant)
    SELECT r.player_id, p_game.variant FROM game_players r
    WHERE r.game_id = p_game.id AND r.player_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    UPDATE player_stats s
    SET games = s.games + 1,
        rated = s.rated + CASE WHEN p_game.rated AND NOT r.same_people AND r.took_part THEN 1 ELSE 0 END,
        wins = s.wins + CASE WHEN r.took_part THEN r.won::integer ELSE 0 END,
        points = s.points + CASE WHEN p_game.rated AND NOT r.same_people THEN r.game_points ELSE 0 END,
        opened = s.opened + CASE WHEN r.took_part THEN r.opened::integer ELSE 0 END,
        rummies = s.rummies + CASE WHEN r.took_part THEN r.rummy::integer ELSE 0 END,
        places[r.place] = s.places[r.place] + 1,
        streak = CASE WHEN NOT p_game.rated OR r.same_people THEN s.streak
                      WHEN r.won AND r.took_part THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN p_game.rated AND NOT r.same_people AND r.won
                                                        AND r.took_part THEN s.streak + 1 ELSE 0 END)
    FROM game_players r
    WHERE r.game_id = p_game.id AND s.player_id = r.player_id AND s.variant = p_game.variant;
END $$;

CREATE OR REPLACE FUNCTION oracle_count_achievements(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
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
        INSERT INTO player_counters AS c (player_id, counter, n)
        VALUES (p, 'wins_in_row', p_result.won::integer)
        ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_result.won THEN c.n + 1 ELSE 0 END
        RETURNING n INTO v_row;
        IF v_row > 0 THEN
            v_names := v_names || 'win_streak'::text;
            v_ns := v_ns || v_row;
        END IF;
    END IF;
    PERFORM oracle_add_to_counters(p, v_names, v_ns, '{day_streak,level,win_streak}');
END $$;

CREATE OR REPLACE FUNCTION oracle_count_quests(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint := p_result.player_id;
    f jsonb := p_result.facts;
    v_week  date := quest_week(now());
    v_quest quests;
    v_n     bigint;
    v_row   quest_progress;
BEGIN
    FOR v_quest IN SELECT * FROM quests_of(v_week) ORDER BY slot LOOP
        v_n := CASE v_quest.counter
            WHEN 'games' THEN 1
            WHEN 'any_wins' THEN p_result.won::integer
            WHEN 'wins' THEN (p_result.won AND p_game.rated)::integer
            WHEN 'opened_100' THEN ((f->>'opening')::bigint >= 100)::integer
            WHEN 'opened_pure' THEN (f->>'opened_pure')::boolean::integer
            WHEN 'swaps' THEN (f->>'swaps')::bigint END;
        CONTINUE WHEN coalesce(v_n, 0) = 0 OR v_quest.variant <> p_game.variant;
        SELECT * INTO v_row FROM quest_progress WHERE (player_id, week, quest_id) = (p, v_week, v_quest.id);
        CONTINUE WHEN v_row.done_at IS NOT NULL;
        DELETE FROM quest_progress WHERE (player_id, week, quest_id) = (p, v_week, v_quest.id);
        v_n := coalesce(v_row.n, 0) + v_n;
        IF v_n < v_quest.goal THEN
            INSERT INTO quest_progress VALUES (p, v_week, v_quest.id, v_n, 0, NULL);
        ELSE
            INSERT INTO quest_progress VALUES (p, v_week, v_quest.id, v_quest.goal, v_quest.gold, now());
            PERFORM ledger_post('quest', quest_key(p, v_week, v_quest.id), NULL, '',
                                credit_legs(p, 'gold', v_quest.gold, 'quest'));
            PERFORM notify_player(p, 'quest', jsonb_build_object(
                'id', v_quest.id, 'counter', v_quest.counter, 'variant', v_quest.variant,
                'goal', v_quest.goal, 'gold', v_quest.gold));
        END IF;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION oracle_notify_level(p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_result.levels_gained > 0 THEN
        PERFORM notify_player(p_result.player_id, 'level', jsonb_build_object(
            'level', p_result.level, 'title', p_result.title, 'gold', p_result.level_gold,
            'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]') FROM rooms r
                      JOIN titles t ON t.name = r.title
                      WHERE t.level_from > p_result.level - p_result.levels_gained
                        AND t.level_from <= p_result.level)));
    END IF;
END $$;

CREATE OR REPLACE FUNCTION oracle_count_league_games(p_players bigint[], p_room_position integer, p_points bigint[],
                                              p_won boolean[], p_at timestamptz, p_lost bigint[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_season seasons;
BEGIN
    PERFORM lock_seasons(false);
    PERFORM ensure_seasons(p_at);
    SELECT * INTO v_season FROM seasons
    WHERE state IN ('coming', 'opening', 'open') AND ends_at > p_at ORDER BY no LIMIT 1;
    IF NOT FOUND THEN -- it began before the season ended and ended afterward
        SELECT * INTO STRICT v_season FROM seasons WHERE state = 'coming' ORDER BY no LIMIT 1;
    END IF;
    INSERT INTO league_games AS g (season_no, player_id, room_position, games, points, wins)
    SELECT v_season.no, u.player_id, p_room_position, 1, u.points, u.won::integer
    FROM unnest(p_players, p_points, p_won) u (player_id, points, won)
    ON CONFLICT (season_no, player_id, room_position) DO UPDATE
    SET games = g.games + 1, points = g.points + excluded.points, wins = g.wins + excluded.wins;
    UPDATE league_games SET lost = lost + 1
    WHERE season_no = v_season.no AND player_id = ANY (p_lost) AND room_position = p_room_position;
    IF v_season.state <> 'coming' THEN
        PERFORM oracle_make_league_rows(v_season.no, p_players || p_lost);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION oracle_make_league_rows(p_season integer, p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_scale     bigint := setting_int('rating_scale');
    v_most      bigint := setting_int('game_points_max');
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    INSERT INTO league_members (player_id, position, since)
    SELECT DISTINCT g.player_id, (SELECT min(position) FROM leagues), p_season
    FROM unnest(p_players) u (player_id)
    JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
    ON CONFLICT (player_id) DO NOTHING;
    WITH counted AS (
        SELECT g.player_id, m.position, sum(g.games)::bigint AS games, sum(g.points)::bigint AS points,
               sum(g.wins)::bigint AS wins, sum(g.lost) AS lost
        FROM unnest(p_players) u (player_id)
        JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
        JOIN league_members m ON m.player_id = g.player_id AND g.room_position >= m.position
        GROUP BY g.player_id, m.position
    ), rows AS (
        INSERT INTO league_rows AS r (season_no, player_id, position, games, points, wins, rating)
        SELECT p_season, player_id, position, games, points, wins,
               floor(points * v_scale / ((games + lost) * v_most))::integer
        FROM counted
        ON CONFLICT (season_no, player_id) DO UPDATE
        SET games = excluded.games, points = excluded.points, wins = excluded.wins, rating = excluded.rating
        RETURNING r.player_id, r.position, r.games, r.wins, r.rating
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT b.board, r.player_id, CASE WHEN r.games >= v_games_min THEN 1::bigint << 60 ELSE 0 END
           + (r.rating::bigint << 40) + (least(r.games, 1048575) << 20) + least(r.wins, 1048575)
    FROM rows r JOIN (SELECT o.position, league_board(p_season, o.position) AS board
                      FROM (SELECT DISTINCT position FROM counted) o) b ON b.position = r.position
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

-- An invitation is due when its player has a confirmed address and has taken part in enough rated games,
-- including this one.
CREATE OR REPLACE FUNCTION oracle_note_invite_due(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_games bigint;
BEGIN
    IF EXISTS (SELECT 1 FROM invites WHERE invited_id = p_player AND state = 'open')
       AND (SELECT email_verified_at FROM players WHERE id = p_player) IS NOT NULL THEN
        SELECT count(*) INTO v_games FROM game_players p JOIN games g ON g.id = p.game_id
        WHERE p.player_id = p_player AND g.rated AND p.took_part AND NOT p.same_people;
        IF v_games >= setting_int('invite_games') THEN
            INSERT INTO invites_due VALUES (p_player) ON CONFLICT DO NOTHING;
        END IF;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION oracle_add_to_counters(p_player bigint, p_counters text[], p_ns bigint[],
                                           p_reached text[])
    RETURNS void
    LANGUAGE plpgsql AS $$
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
        WHERE NOT EXISTS (SELECT 1 FROM player_achievements e
                          WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY u.at, a.position LOOP
        INSERT INTO player_achievements (player_id, achievement_id, gold)
        VALUES (p_player, v_achievement.id, v_achievement.gold);
        IF v_achievement.gold > 0 THEN
            PERFORM ledger_post('achievement', 'achievement:' || p_player || ':' || v_achievement.id, NULL,
                                '', credit_legs(p_player, 'gold', v_achievement.gold, 'achievement'));
        END IF;
        PERFORM notify_player(p_player, 'achievement', jsonb_build_object(
            'id', v_achievement.id, 'counter', v_achievement.counter, 'goal', v_achievement.goal,
            'gold', v_achievement.gold));
    END LOOP;
END $$;

CREATE TRIGGER oracle_count_finished_table AFTER UPDATE OF state ON tables
    FOR EACH ROW WHEN (NEW.state = 'finished' AND OLD.state <> 'finished')
    EXECUTE FUNCTION oracle_count_finished_table();
CREATE TRIGGER oracle_pay_daily_before_game AFTER INSERT ON games
    FOR EACH ROW EXECUTE FUNCTION oracle_pay_daily_before_game();
CREATE TRIGGER oracle_game_player_points BEFORE INSERT ON game_players
    FOR EACH ROW EXECUTE FUNCTION oracle_game_player_points();
CREATE TRIGGER oracle_note_player_played AFTER INSERT ON game_players
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL AND NEW.took_part)
    EXECUTE FUNCTION oracle_note_player_played();
CREATE TRIGGER oracle_rank_rating AFTER INSERT OR UPDATE ON ratings
    FOR EACH ROW EXECUTE FUNCTION oracle_rank_rating();

ALTER TABLE tables ENABLE REPLICA TRIGGER oracle_count_finished_table;
ALTER TABLE games ENABLE REPLICA TRIGGER oracle_pay_daily_before_game;
ALTER TABLE game_players ENABLE REPLICA TRIGGER oracle_game_player_points;
ALTER TABLE game_players ENABLE REPLICA TRIGGER oracle_note_player_played;
ALTER TABLE ratings ENABLE REPLICA TRIGGER oracle_rank_rating;

-- Both settlements record the same changes of the boards.
ALTER TABLE board_entries ENABLE ALWAYS TRIGGER board_insert;
ALTER TABLE board_entries ENABLE ALWAYS TRIGGER board_delete;
ALTER TABLE board_entries ENABLE ALWAYS TRIGGER board_update;
