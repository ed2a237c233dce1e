CREATE OR REPLACE FUNCTION q_my_account(p_player bigint)
    RETURNS TABLE (code text, email text, nickname text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT 'ok', c.email, p.nickname
                 FROM credentials c JOIN players p ON p.id = c.player_id WHERE p.id = p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'not_registered', NULL::text, NULL::text;
    END IF;
END $$;

COMMENT ON FUNCTION q_my_account IS
'What a password of theirs must not be made of.
Refusals: not_registered (a guest).
Called by api.';
