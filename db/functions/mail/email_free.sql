CREATE OR REPLACE FUNCTION email_free(p_email text, p_player bigint, p_proved boolean) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT 1 FROM credentials c JOIN players p ON p.id = c.player_id
                       WHERE c.email = email_key(p_email) AND c.player_id IS DISTINCT FROM p_player
                             AND (NOT p_proved OR p.email_verified_at IS NOT NULL))
       AND NOT EXISTS (SELECT 1 FROM mail_proofs
                       WHERE kind = 'undo' AND address = email_key(p_email) AND expires_at > now()
                             AND used_at IS NULL AND proved AND player_id IS DISTINCT FROM p_player)
$$;

COMMENT ON FUNCTION email_free IS
'Whether an account may take an address: no other account has it, and no account that had confirmed it can
still restore it. One statement checks both, so that it finds an address that is just moving from one place
to the other. p_player NULL: a new account. p_proved: the requester proves that they receive its email, so
that an account that was registered with the address but never confirmed it does not count (email_release
removes the address from it).
Called by do_change_email, do_confirm_email, do_enter_upgraded, do_register, do_undo_email, identity_email.';
