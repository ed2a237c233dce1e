-- What a player has done over all his games: statistics, achievements with their progress, invitations.

INSERT INTO causes (cause, about) VALUES ('achievement', 'rewards of achievements'), ('invite', 'rewards of invitations');
INSERT INTO accounts (kind, currency, cause)
SELECT 'house', currency, cause FROM unnest(ARRAY['achievement', 'invite']) AS c (cause), unnest(ARRAY['silver', 'gold']) AS u (currency);

-- Finished games that were no practice. points: sum of game_points of the rated ones. places: how often first, second, …
-- streak: rated wins in a row.
CREATE TABLE player_stats (
    player_id   bigint NOT NULL REFERENCES players (id),
    variant     text   NOT NULL,
    games       bigint NOT NULL DEFAULT 0,
    rated       bigint NOT NULL DEFAULT 0,
    points      bigint NOT NULL DEFAULT 0,
    wins        bigint NOT NULL DEFAULT 0,
    opened      bigint NOT NULL DEFAULT 0,
    rummies     bigint NOT NULL DEFAULT 0,
    places      bigint[] NOT NULL DEFAULT '{0,0,0,0,0,0}',
    streak      bigint NOT NULL DEFAULT 0,
    streak_best bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, variant)
);

-- What the engine noticed about a seat's game: opening (sum of it), swaps (jokers swapped), buried, joker_out.
ALTER TABLE game_players ADD COLUMN facts jsonb NOT NULL DEFAULT '{}';

-- Earned when the counter reaches the goal. wins and win_streak count rated games only.
CREATE TABLE achievements (
    id       text PRIMARY KEY,
    position smallint NOT NULL UNIQUE,
    gold     bigint   NOT NULL CHECK (gold >= 0),
    counter  text     NOT NULL,
    goal     bigint   NOT NULL CHECK (goal > 0),
    about    text     NOT NULL
);
INSERT INTO achievements (position, id, gold, counter, goal, about) VALUES
    (1,  'first_game', 5, 'games', 1, 'Finish a game'),
    (2,  'first_win', 10, 'any_wins', 1, 'Win a game'),
    (3,  'wins_10', 20, 'wins', 10, 'Win 10 games against people'),
    (4,  'wins_50', 40, 'wins', 50, 'Win 50 games against people'),
    (5,  'wins_100', 60, 'wins', 100, 'Win 100 games against people'),
    (6,  'wins_500', 150, 'wins', 500, 'Win 500 games against people'),
    (7,  'games_100', 20, 'games', 100, 'Finish 100 games'),
    (8,  'games_500', 50, 'games', 500, 'Finish 500 games'),
    (9,  'games_1000', 100, 'games', 1000, 'Finish 1000 games'),
    (10, 'first_open', 5, 'opened', 1, 'Open'),
    (11, 'open_51_exact', 15, 'opened_51', 1, 'Open with exactly 51'),
    (12, 'open_100_plus', 25, 'opened_100', 1, 'Open with 100 or more'),
    (13, 'first_rummy', 25, 'rummies', 1, 'Go out in one turn'),
    (14, 'rummy_10', 75, 'rummies', 10, 'Go out in one turn 10 times'),
    (15, 'bury_first', 5, 'buried', 1, 'Bury a joker'),
    (16, 'finish_with_joker', 15, 'joker_out', 1, 'Go out by throwing a joker'),
    (17, 'swap_joker_10', 15, 'swaps', 10, 'Swap 10 jokers off the table'),
    (18, 'win_streak_3', 15, 'win_streak', 3, 'Win 3 games against people in a row'),
    (19, 'win_streak_5', 40, 'win_streak', 5, 'Win 5 games against people in a row'),
    (20, 'unlock_tundra', 20, 'level', 6, 'Unlock the Tundra room'),
    (21, 'unlock_steppe', 30, 'level', 12, 'Unlock the Steppe room'),
    (22, 'unlock_savannah', 40, 'level', 18, 'Unlock the Savannah room'),
    (23, 'unlock_oasis', 50, 'level', 27, 'Unlock the Oasis room'),
    (24, 'unlock_forest', 60, 'level', 38, 'Unlock the Forest room'),
    (25, 'league_promotion', 25, 'promotions', 1, 'Be promoted to a higher league'),
    (26, 'league_winner', 100, 'league_wins', 1, 'Win a league'),
    (27, 'streak_7_days', 20, 'day_streak', 7, 'Play on 7 days in a row'),
    (28, 'streak_30_days', 100, 'day_streak', 30, 'Play on 30 days in a row'),
    (29, 'invite_1', 10, 'invites', 1, 'Invite a player who reaches level 3'),
    (30, 'invite_10', 75, 'invites', 10, 'Invite 10 players who reach level 3');

CREATE TABLE player_counters (
    player_id bigint NOT NULL REFERENCES players (id),
    counter   text   NOT NULL,
    n         bigint NOT NULL,
    PRIMARY KEY (player_id, counter)
);
CREATE TABLE player_achievements (
    player_id      bigint NOT NULL REFERENCES players (id),
    achievement_id text   NOT NULL REFERENCES achievements (id),
    earned_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, achievement_id)
);

-- Counts; p_reached: the counter is at least p_n (else p_n more). Pays what is earned by it: `achievement:<player>:<id>`.
-- The caller holds the player's lock.
CREATE FUNCTION count_towards(p_player bigint, p_counter text, p_n bigint, p_reached boolean) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
    v_achievement achievements;
BEGIN
    INSERT INTO player_counters AS c (player_id, counter, n) VALUES (p_player, p_counter, p_n)
    ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_reached THEN greatest(c.n, p_n) ELSE c.n + p_n END
    RETURNING n INTO v_n;
    FOR v_achievement IN
        SELECT a.* FROM achievements a WHERE a.counter = p_counter AND a.goal <= v_n
        AND NOT EXISTS (SELECT 1 FROM player_achievements e WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY a.position LOOP
        INSERT INTO player_achievements (player_id, achievement_id) VALUES (p_player, v_achievement.id);
        IF v_achievement.gold > 0 THEN
            PERFORM ledger_post('achievement', 'achievement:' || p_player || ':' || v_achievement.id, NULL, '',
                                credit_legs(p_player, 'gold', v_achievement.gold, 'achievement'));
        END IF;
        PERFORM notify_player(p_player, 'achievement', jsonb_build_object(
            'id', v_achievement.id, 'about', v_achievement.about, 'gold', v_achievement.gold));
    END LOOP;
END $$;

-- What counts for players whose lock nobody holds: worked off by do_counts_due, a few at a time.
CREATE TABLE counts_due (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES players (id),
    counter   text   NOT NULL,
    n         bigint NOT NULL
);

CREATE FUNCTION season_result_counts() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts_due (player_id, counter, n)
    SELECT player_id, x.counter, 1 FROM new_rows r
    CROSS JOIN LATERAL (SELECT 'promotions' WHERE r.reason = 'promoted'
                        UNION ALL SELECT 'league_wins' WHERE r.place = 1 AND r.reason <> 'too_few_games') AS x (counter)
    ORDER BY player_id;
    RETURN NULL;
END $$;
CREATE TRIGGER season_result_counts AFTER INSERT ON season_results REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION season_result_counts();

-- --- invitations ----------------------------------------------------------------------------------------------------

INSERT INTO settings (name, value, about) VALUES
    ('invite_gold',       '30',    'gold for who invited, when the invited player reaches invite_level'),
    ('invited_gold',      '10',    'gold for a registered player who was invited'),
    ('invite_level',      '3',     'level of the invited player that pays who invited him'),
    ('invites_paid_max',  '50',    'invitations of one player that are paid'),
    ('invite_accept_s',   '86400', 'an account may name who invited it so long after it was made');

CREATE TABLE invite_codes (
    player_id bigint PRIMARY KEY REFERENCES players (id),
    code      text   NOT NULL UNIQUE
);
-- state: open until the invited player reaches the level; then paid, or over (the inviter had the most that are paid).
CREATE TABLE invites (
    invited_id bigint PRIMARY KEY REFERENCES players (id),
    inviter_id bigint NOT NULL REFERENCES players (id),
    at         timestamptz NOT NULL DEFAULT now(),
    state      text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'over')),
    CHECK (invited_id <> inviter_id)
);
CREATE INDEX invites_inviter ON invites (inviter_id);
CREATE INDEX invites_open ON invites (invited_id) WHERE state = 'open';

-- The player's code, made when he first asks for it.
CREATE FUNCTION do_invite_code(p_player bigint) RETURNS text
    LANGUAGE plpgsql AS $$
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

-- code: ok.
CREATE FUNCTION do_invites(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
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

-- A new registered player says who invited him: `invited:<player>`. code: ok, no_such_player, invite_unknown, invite_self,
-- invite_guest, invite_late, invite_used, idempotency_key_reused.
CREATE FUNCTION do_accept_invite(p_player bigint, p_code text, p_idem_key text, p_body_hash bytea) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer  jsonb;
    v_player  players;
    v_inviter bigint := (SELECT player_id FROM invite_codes WHERE code = upper(p_code));
    v_code    text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'accept_invite', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := CASE WHEN v_inviter IS NULL THEN 'invite_unknown'
                       WHEN v_inviter = p_player THEN 'invite_self'
                       WHEN v_player.kind <> 'registered' THEN 'invite_guest'
                       WHEN EXISTS (SELECT 1 FROM invites WHERE invited_id = p_player) THEN 'invite_used'
                       WHEN v_player.created_at < now() - make_interval(secs => setting_int('invite_accept_s')) THEN 'invite_late'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO invites (invited_id, inviter_id) VALUES (p_player, v_inviter);
            PERFORM do_credit(p_player, 'gold', setting_int('invited_gold'), 'invite', 'invited:' || p_player, '');
        END IF;
        v_answer := jsonb_build_object('code', v_code, 'gold', setting_int('invited_gold'));
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'accept_invite', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', jsonb_build_object('gold', v_answer->'gold')::text;
END $$;

-- Called by the server now and then, and by the job upkeep: pays invitations whose player has reached the level
-- (`invite:<invited>`), and counts what is due. Returns how many there were.
CREATE FUNCTION do_counts_due(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_row record;
    v_n   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd counts due', 0));
    FOR v_row IN SELECT i.invited_id, i.inviter_id FROM invites i JOIN players p ON p.id = i.invited_id
                 WHERE i.state = 'open' AND p.level >= setting_int('invite_level') ORDER BY i.invited_id LIMIT p_max LOOP
        v_n := v_n + 1;
        IF (SELECT count(*) FROM invites WHERE inviter_id = v_row.inviter_id AND state = 'paid') >= setting_int('invites_paid_max') THEN
            UPDATE invites SET state = 'over' WHERE invited_id = v_row.invited_id;
        ELSE
            UPDATE invites SET state = 'paid' WHERE invited_id = v_row.invited_id;
            INSERT INTO counts_due (player_id, counter, n) VALUES (v_row.inviter_id, 'invites', 1);
        END IF;
    END LOOP;
    PERFORM lock_players(ARRAY(SELECT player_id FROM (SELECT player_id FROM counts_due ORDER BY id LIMIT p_max) d
                               UNION SELECT inviter_id FROM invites WHERE state = 'paid'
                                     AND NOT EXISTS (SELECT 1 FROM transfers WHERE key = 'invite:' || invited_id)));
    FOR v_row IN SELECT invited_id, inviter_id FROM invites i WHERE state = 'paid'
                 AND NOT EXISTS (SELECT 1 FROM transfers WHERE key = 'invite:' || invited_id) ORDER BY inviter_id, invited_id LOOP
        PERFORM do_credit(v_row.inviter_id, 'gold', setting_int('invite_gold'), 'invite', 'invite:' || v_row.invited_id, '');
        PERFORM notify_player(v_row.inviter_id, 'invite', jsonb_build_object('gold', setting_int('invite_gold'),
                              'nickname', (SELECT nickname FROM players WHERE id = v_row.invited_id)));
    END LOOP;
    FOR v_row IN SELECT * FROM (SELECT * FROM counts_due ORDER BY id LIMIT p_max) d ORDER BY player_id, id LOOP
        PERFORM count_towards(v_row.player_id, v_row.counter, v_row.n, false);
        DELETE FROM counts_due WHERE id = v_row.id;
        v_n := v_n + 1;
    END LOOP;
    RETURN v_n;
END $$;

CREATE OR REPLACE FUNCTION upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_batch bigint := setting_int('job_batch');
    v_rows  bigint := do_purge(v_batch::integer);
    v_due   bigint := do_counts_due(least(v_batch, 500));
BEGIN
    RETURN ROW(v_rows >= v_batch OR v_due >= least(v_batch, 500), jsonb_build_object('rows', v_rows, 'counts', v_due))::job_step;
END $$;

-- --- a finished game --------------------------------------------------------------------------------------------------

CREATE FUNCTION count_stats(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_stats (player_id, variant) VALUES (p_result.player_id, p_game.variant) ON CONFLICT DO NOTHING;
    UPDATE player_stats s
    SET games = games + 1, rated = rated + p_game.rated::integer, wins = wins + p_result.won::integer,
        points = points + CASE WHEN p_game.rated THEN p_result.game_points ELSE 0 END,
        opened = opened + p_result.opened::integer, rummies = rummies + p_result.rummy::integer,
        places[p_result.place] = places[p_result.place] + 1,
        streak = CASE WHEN NOT p_game.rated THEN streak WHEN p_result.won THEN streak + 1 ELSE 0 END,
        streak_best = greatest(streak_best, CASE WHEN p_game.rated AND p_result.won THEN streak + 1 ELSE 0 END)
    WHERE player_id = p_result.player_id AND variant = p_game.variant;
END $$;

CREATE FUNCTION count_achievements(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint := p_result.player_id;
    f jsonb := p_result.facts;
BEGIN
    PERFORM count_towards(p, 'games', 1, false);
    PERFORM count_towards(p, 'any_wins', 1, false) WHERE p_result.won;
    PERFORM count_towards(p, 'wins', 1, false) WHERE p_result.won AND p_game.rated;
    PERFORM count_towards(p, 'opened', 1, false) WHERE p_result.opened;
    PERFORM count_towards(p, 'rummies', 1, false) WHERE p_result.rummy;
    PERFORM count_towards(p, 'opened_51', 1, false) WHERE (f->>'opening')::bigint = 51;
    PERFORM count_towards(p, 'opened_100', 1, false) WHERE (f->>'opening')::bigint >= 100;
    PERFORM count_towards(p, 'buried', 1, false) WHERE (f->>'buried')::boolean;
    PERFORM count_towards(p, 'joker_out', 1, false) WHERE p_result.won AND (f->>'joker_out')::boolean;
    PERFORM count_towards(p, 'swaps', (f->>'swaps')::bigint, false) WHERE (f->>'swaps')::bigint > 0;
    PERFORM count_towards(p, 'day_streak', streak, true) FROM player_days WHERE player_id = p AND streak > 0;
    PERFORM count_towards(p, 'level', p_result.level, true) WHERE p_result.levels_gained > 0;
    IF p_game.rated THEN
        INSERT INTO player_counters AS c (player_id, counter, n) VALUES (p, 'wins_in_row', p_result.won::integer)
        ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_result.won THEN c.n + 1 ELSE 0 END;
        PERFORM count_towards(p, 'win_streak', n, true) FROM player_counters
        WHERE player_id = p AND counter = 'wins_in_row' AND n > 0;
    END IF;
END $$;

CREATE FUNCTION tell_level(p_result game_players) RETURNS void
    LANGUAGE sql AS $$
    SELECT notify_player(p_result.player_id, 'level', jsonb_build_object(
        'level', p_result.level, 'title', p_result.title, 'gold', p_result.level_gold,
        'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]') FROM rooms r JOIN titles t ON t.name = r.title
                  WHERE t.level_from > p_result.level - p_result.levels_gained AND t.level_from <= p_result.level)))
    WHERE p_result.levels_gained > 0
$$;

-- As in 0033, with all that counts. Practice counts for nothing.
CREATE OR REPLACE FUNCTION table_counts() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_game.id IS NULL OR v_game.practice THEN
        RETURN NULL;
    END IF;
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL ORDER BY player_id LOOP
        PERFORM count_stats(v_game, v_result);
        PERFORM tell_level(v_result);
        PERFORM count_achievements(v_game, v_result);
        IF v_game.rated AND v_position IS NOT NULL THEN
            PERFORM count_league_game(v_result.player_id, v_position, v_result.game_points, v_result.won, v_game.ended_at);
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- --- what people read -----------------------------------------------------------------------------------------------------

-- code: ok.
CREATE FUNCTION q_achievements(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', jsonb_agg(jsonb_build_object(
        'id', a.id, 'about', a.about, 'gold', a.gold, 'goal', a.goal, 'progress', least(a.goal, coalesce(c.n, 0)),
        'earned_at', rfc3339(e.earned_at)) ORDER BY a.position))::text
    FROM achievements a
    LEFT JOIN player_counters c ON c.player_id = p_player AND c.counter = a.counter
    LEFT JOIN player_achievements e ON e.player_id = p_player AND e.achievement_id = a.id
$$;

-- Anybody's public profile. code: ok, player_unknown.
CREATE FUNCTION q_player(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
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
