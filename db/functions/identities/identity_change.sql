CREATE OR REPLACE FUNCTION identity_change(p_player bigint, p_session bigint) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_player players;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    RETURN CASE
        WHEN v_player.id IS NULL THEN 'no_such_player'
        WHEN v_player.banned_at IS NOT NULL THEN 'banned'
        WHEN v_player.kind = 'guest' THEN 'ok' -- only this device can sign in to it
        WHEN session_fresh(p_player, p_session) THEN 'ok'
        ELSE 'sign_in_again' END;
END $$;

COMMENT ON FUNCTION identity_change IS
'Whether a player may change their sign-in methods. A stolen session must not suffice, so the session must
have begun within identity_fresh_s, with everything that this account requires for a sign-in.
Refusals: no_such_player, banned, sign_in_again.
Locks: the player.
Called by do_identity_begin, do_unlink_identity.';
