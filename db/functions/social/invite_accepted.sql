CREATE OR REPLACE FUNCTION invite_accepted(p_player bigint, p_inviter bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO invites (invited_id, inviter_id) VALUES (p_player, p_inviter);
END $$;

COMMENT ON FUNCTION invite_accepted IS
'Records who invited whom. Nothing is paid before the invited player has played: see do_counts_due. The caller
holds both locks.
Called by do_accept_invite, do_enter_registered, do_enter_upgraded.';
