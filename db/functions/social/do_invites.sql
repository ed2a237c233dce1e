CREATE OR REPLACE FUNCTION do_invites(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_invite_code(p_player);
    RETURN QUERY SELECT * FROM q_invites(p_player);
END $$;

COMMENT ON FUNCTION do_invites IS
'Like q_invites, but creates a code if there is none.
Called by api.';
