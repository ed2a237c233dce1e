-- Entering the game in one call each: who it is, the first or next refresh token, the profile to
-- show. The REST endpoints below /v1/auth use these.

-- What a player sees of himself. rating is of all time in the room variant all start with.
CREATE FUNCTION q_me(p_player bigint)
    RETURNS TABLE (id bigint, nickname text, avatar text, kind text, level integer, title text, clover_points bigint,
                   level_points bigint, level_points_needed bigint, rating integer, rating_games bigint,
                   created_at bigint)
    LANGUAGE sql STABLE AS $$
    SELECT p.id, p.nickname, p.avatar, p.kind, p.level, l.title, p.clover_points, p.level_points, l.points_needed,
           r.rating, coalesce(r.games, 0), (extract(epoch FROM p.created_at) * 1000)::bigint
    FROM players p
    JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = p.id AND r.variant = 'rummy51' AND r.period = 'all'
    WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

-- The answer to whoever entered: code, and the profile when it is ok.
CREATE TYPE session_answer AS (code text, id bigint, nickname text, avatar text, kind text, level integer, title text,
                               clover_points bigint, level_points bigint, level_points_needed bigint, rating integer,
                               rating_games bigint, created_at bigint);

CREATE FUNCTION session_answer(p_code text, p_player bigint) RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer session_answer;
BEGIN
    IF p_code = 'ok' THEN
        SELECT 'ok', m.* INTO v_answer FROM q_me(p_player) m;
    ELSE
        v_answer.code := p_code;
    END IF;
    RETURN v_answer;
END $$;

-- code: ok, banned.
CREATE FUNCTION do_enter_guest(p_device_hash bytea, p_nickname text, p_avatar text, p_token_hash bytea, p_family uuid)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
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

-- code: ok, email_taken.
CREATE FUNCTION do_enter_registered(p_email text, p_password_hash text, p_nickname text, p_avatar text,
                                    p_token_hash bytea, p_family uuid)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player
    FROM do_register(p_email, p_password_hash, p_nickname, p_avatar) r;
    IF v_code = 'ok' THEN
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

-- After the password was found right; forgets the account's failures. code: ok.
CREATE FUNCTION do_enter_login(p_email text, p_player bigint, p_token_hash bytea, p_family uuid) RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_login_ok(p_email);
    PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    RETURN session_answer('ok', p_player);
END $$;

-- code: as do_refresh_rotate.
CREATE FUNCTION do_enter_refresh(p_token_hash bytea, p_new_hash bytea) RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player FROM do_refresh_rotate(p_token_hash, p_new_hash) r;
    RETURN session_answer(v_code, v_player);
END $$;

-- Changes what is given; NULL leaves as it is. code: ok, no_such_player.
CREATE FUNCTION do_change_me(p_player bigint, p_nickname text, p_avatar text) RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE players SET nickname = coalesce(p_nickname, nickname), avatar = coalesce(p_avatar, avatar)
    WHERE id = p_player AND deleted_at IS NULL;
    RETURN session_answer(CASE WHEN FOUND THEN 'ok' ELSE 'no_such_player' END, p_player);
END $$;
