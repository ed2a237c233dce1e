-- The daily bonus: silver at each midnight of the settings' zone, whether the player comes by himself or the job
-- comes for him. A midnight is credited once (`daily:<player>:<day>`); missed ones are made up for one by one.

INSERT INTO settings (name, value, about) VALUES
    ('daily_base',        '40', 'silver of a daily bonus on level 1 without a streak'),
    ('daily_streak_step', '5',  'more silver for each further day of a streak'),
    ('daily_streak_max',  '7',  'days of a streak that count'),
    ('daily_level_step',  '2',  'more silver for each level above the first');

INSERT INTO causes (cause, about) VALUES ('daily', 'the daily bonus');
INSERT INTO accounts (kind, currency, cause) VALUES ('house', 'silver', 'daily'), ('house', 'gold', 'daily');

-- bonus_day: the last midnight that was credited. played_day: the last day with a finished game, the last of
-- `streak` consecutive ones.
CREATE TABLE player_days (
    player_id   bigint PRIMARY KEY REFERENCES players (id),
    bonus_day   date    NOT NULL,
    played_day  date,
    streak      integer NOT NULL DEFAULT 0 CHECK (streak >= 0),
    streak_best integer NOT NULL DEFAULT 0 CHECK (streak_best >= streak)
);
CREATE INDEX player_days_due ON player_days (bonus_day, player_id);

INSERT INTO player_days (player_id, bonus_day) SELECT id, local_day(now()) FROM players;

-- The first midnight after his birth is the first a player gets a bonus for.
CREATE FUNCTION player_days_born() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_days (player_id, bonus_day) VALUES (NEW.id, local_day(NEW.created_at));
    RETURN NULL;
END $$;
CREATE TRIGGER player_days_born AFTER INSERT ON players FOR EACH ROW EXECUTE FUNCTION player_days_born();

-- Silver of a bonus. Without a streak it is that of a streak of one day.
CREATE FUNCTION daily_amount(p_streak integer, p_level integer) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT setting_int('daily_base')
                   + setting_int('daily_streak_step') * (greatest(1, least(p_streak, setting_int('daily_streak_max'))) - 1)
                   + setting_int('daily_level_step') * (p_level - 1));
END $$;

-- The streak that counts at the midnight before p_day: days in a row with a finished game, up to the day before.
CREATE FUNCTION streak_before(p_days player_days, p_day date) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_days.played_day = p_day - 1 THEN p_days.streak ELSE 0 END
$$;

-- Writes the missed midnights up to p_today of players who are locked. What one midnight puts over the cap is lost to the
-- next one as well, so the purse after each is known from the sum of those before it.
CREATE FUNCTION post_daily(p_players bigint[], p_today date) RETURNS bigint
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

-- Credits what these players have missed; returns how many midnights that were. A clock set back credits nothing.
CREATE FUNCTION do_daily_bonus(p_players bigint[], p_at timestamptz) RETURNS bigint
    LANGUAGE plpgsql AS $$
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

-- Notes that the player finished a game. The caller holds his lock and has credited what was due.
CREATE FUNCTION note_played(p_player bigint, p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = s.streak, streak_best = greatest(d.streak_best, s.streak)
    FROM (SELECT player_id, streak_before(o, v_day) + 1 AS streak FROM player_days o WHERE o.player_id = p_player) s
    WHERE d.player_id = s.player_id AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

-- A game is stored before its points count: midnights that are due are paid by the level they found. Players
-- are locked by the settlement already.
CREATE FUNCTION game_pays_daily() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;
CREATE TRIGGER game_pays_daily AFTER INSERT ON games FOR EACH ROW EXECUTE FUNCTION game_pays_daily();

CREATE FUNCTION player_played() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;
CREATE TRIGGER player_played AFTER INSERT ON game_players
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL) EXECUTE FUNCTION player_played();

-- What the wallet shows. due: something is missing, call do_daily_bonus first. today_*: of the last midnight; NULL on
-- the day of birth. tomorrow: what the coming midnight brings as things stand, before the cap.
CREATE FUNCTION q_bonus(p_player bigint, p_at timestamptz)
    RETURNS TABLE (due boolean, streak integer, played_today boolean, today_amount bigint, today_lost bigint,
                   tomorrow_amount bigint, tomorrow_at timestamptz)
    LANGUAGE sql STABLE AS $$
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

-- Whoever enters or renews his session has what is due to him.
CREATE OR REPLACE FUNCTION session_answer(p_code text, p_player bigint) RETURNS session_answer
    LANGUAGE plpgsql AS $$
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
