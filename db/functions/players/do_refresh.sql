CREATE OR REPLACE FUNCTION do_refresh_issue(p_player bigint, p_token_hash bytea, p_family uuid) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO refresh_tokens (token_hash, family, player_id, expires_at)
    VALUES (p_token_hash, p_family, p_player, now() + make_interval(secs => setting_int('refresh_ttl_s')));
END $$;

COMMENT ON FUNCTION do_refresh_issue IS
'Writes a refresh token of a family: the first one, or the next.
Called by do_enter_guest, do_enter_login, do_enter_registered, do_enter_upgraded, do_refresh_rotate.';

CREATE OR REPLACE FUNCTION do_refresh_rotate(p_token_hash bytea, p_new_hash bytea)
    RETURNS TABLE (code text, player_id bigint, role text)
    LANGUAGE plpgsql AS $$
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

COMMENT ON FUNCTION do_refresh_rotate IS
'Gives a new refresh token for an old one, which is used up. A token that is seen twice is in two hands: its
whole family is revoked.
Refusals: token_unknown, token_expired, token_revoked, token_reused, banned (or deleted).
Called by do_enter_refresh.';

CREATE OR REPLACE FUNCTION do_refresh_revoke(p_token_hash bytea)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE refresh_tokens SET revoked_at = now()
    WHERE family = (SELECT family FROM refresh_tokens WHERE token_hash = p_token_hash) AND revoked_at IS NULL;
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM refresh_tokens WHERE token_hash = p_token_hash)
                             THEN 'ok' ELSE 'token_unknown' END;
END $$;

COMMENT ON FUNCTION do_refresh_revoke IS
'Logs out: the family of the token ends. A repeat is ok.
Refusals: token_unknown.
Called by api.';
