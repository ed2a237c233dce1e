CREATE OR REPLACE FUNCTION do_enter_refresh(p_token_hash bytea, p_new_hash bytea) RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player
    FROM do_refresh_rotate(p_token_hash, p_new_hash) r;
    RETURN session_answer(v_code, v_player);
END $$;

COMMENT ON FUNCTION do_enter_refresh IS
'Renews a session, with the next refresh token and the profile.
Refusals: those of do_refresh_rotate.
Called by api.';
