CREATE OR REPLACE FUNCTION email_unconfirmed_owner(p_email text, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT c.player_id FROM credentials c JOIN players p ON p.id = c.player_id
            WHERE c.email = email_key(p_email) AND p.email_verified_at IS NULL
                  AND c.player_id IS DISTINCT FROM p_player);
END $$;

COMMENT ON FUNCTION email_unconfirmed_owner IS
'The account, other than p_player, that was registered with an address but never confirmed it; NULL: there
is none.
Called by do_enter_identity, email_release.';
