-- Limits a player sets himself: time and purchases of a day, or no play at all for a while. What tightens acts at once, what loosens after
-- limit_loosen_s. They hold wherever a seat is taken or an order made: by triggers, so that no way around them can be added.

INSERT INTO settings (name, value, about) VALUES
    ('limit_loosen_s', '259200', 'a player''s own limit becomes looser so long after he asked for it');

-- kind: time (minutes a day), purchases (a day, in the smallest unit of the currency), exclusion (until this second since 1970).
-- next_value takes the place of value at next_at.
CREATE TABLE play_limits (
    player_id  bigint NOT NULL REFERENCES players (id),
    kind       text   NOT NULL CHECK (kind IN ('time', 'purchases', 'exclusion')),
    value      bigint NOT NULL CHECK (value >= 0),
    next_value bigint CHECK (next_value >= 0),
    next_at    timestamptz,
    PRIMARY KEY (player_id, kind),
    CHECK ((next_value IS NULL) = (next_at IS NULL))
);

-- What stands for no limit: the minutes of a day, more than any price, a time long past.
CREATE FUNCTION limit_none(p_kind text) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_kind WHEN 'time' THEN 1440 WHEN 'purchases' THEN 100000000 ELSE 0 END::bigint
$$;

CREATE FUNCTION limit_of(p_player bigint, p_kind text) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT CASE WHEN next_at <= now() THEN next_value ELSE value END FROM play_limits
                     WHERE player_id = p_player AND kind = p_kind), limit_none(p_kind))
$$;

-- Midnight, as the daily bonus has it.
CREATE FUNCTION local_midnight(p_at timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT local_day(p_at)::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone')
$$;

-- Seconds of the day at which the player sat in a game; several tables at once count once.
CREATE FUNCTION played_s(p_player bigint, p_at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
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

-- What was ordered that day and is not given up.
CREATE FUNCTION bought_minor(p_player bigint, p_at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(price_minor), 0)::bigint FROM shop_orders
    WHERE player_id = p_player AND created_at >= local_midnight(p_at) AND state NOT IN ('failed', 'expired')
$$;

-- The server knows these states by their names (api/request.c).
CREATE FUNCTION limit_exclusion_refuses(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF limit_of(p_player, 'exclusion') > extract(epoch FROM now()) THEN
        RAISE EXCEPTION 'limit: player % excluded himself', p_player USING ERRCODE = 'RU001';
    END IF;
END $$;

CREATE FUNCTION limit_seat_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM limit_exclusion_refuses(NEW.player_id);
        IF played_s(NEW.player_id, now()) >= 60 * limit_of(NEW.player_id, 'time') THEN
            RAISE EXCEPTION 'limit: player % played as long as he wants', NEW.player_id USING ERRCODE = 'RU002';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER limit_seat_guard BEFORE INSERT OR UPDATE OF player_id ON seats
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL) EXECUTE FUNCTION limit_seat_guard();

CREATE FUNCTION limit_order_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM limit_exclusion_refuses(NEW.player_id);
        IF bought_minor(NEW.player_id, now()) + NEW.price_minor > limit_of(NEW.player_id, 'purchases') THEN
            RAISE EXCEPTION 'limit: player % bought as much as he wants', NEW.player_id USING ERRCODE = 'RU003';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER limit_order_guard BEFORE INSERT ON shop_orders FOR EACH ROW EXECUTE FUNCTION limit_order_guard();

-- Tighter at once, and what was to loosen it is forgotten; looser later; the same again changes nothing but that.
CREATE FUNCTION set_limit(p_player bigint, p_kind text, p_value bigint) RETURNS void
    LANGUAGE plpgsql AS $$
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

CREATE FUNCTION limits_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
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

-- code: ok.
CREATE FUNCTION q_limits(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', limits_json(id)::text FROM players WHERE id = p_player AND deleted_at IS NULL
$$;

-- Sets what is given; NULL leaves as it is. p_exclude_days 0: no longer. code: ok, no_such_player.
CREATE FUNCTION do_set_limits(p_player bigint, p_minutes bigint, p_purchases bigint, p_exclude_days bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
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
