CREATE OR REPLACE FUNCTION q_my_account(p_player bigint)
    RETURNS TABLE (code text, email text, nickname text, has_password boolean)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT 'ok', c.email, p.nickname, c.password_hash <> ''
                 FROM credentials c JOIN players p ON p.id = c.player_id WHERE p.id = p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'not_registered', NULL::text, NULL::text, false;
    END IF;
END $$;

COMMENT ON FUNCTION q_my_account IS
'What a password of theirs must not be made of, and whether they have one.
Refusals: not_registered (a guest, or an account without an address).
Called by api.';
