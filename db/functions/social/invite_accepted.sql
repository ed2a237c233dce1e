CREATE OR REPLACE FUNCTION invite_accepted(p_player bigint, p_inviter bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO invites (invited_id, inviter_id) VALUES (p_player, p_inviter);
    PERFORM do_credit(p_player, 'gold', setting_int('invited_gold'), 'invite', 'invited:' || p_player, '');
END $$;

COMMENT ON FUNCTION invite_accepted IS
'Writes down who invited whom, and pays the invited. The caller holds both locks.
Key of the transfer: `invited:<player>`.
Called by do_accept_invite, do_enter_registered, do_enter_upgraded.';
