CREATE OR REPLACE FUNCTION email_free(p_email text, p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT 1 FROM credentials
                       WHERE email = lower(p_email) AND player_id IS DISTINCT FROM p_player)
       AND NOT EXISTS (SELECT 1 FROM mail_proofs
                       WHERE kind = 'undo' AND address = lower(p_email) AND expires_at > now()
                             AND player_id IS DISTINCT FROM p_player)
$$;

COMMENT ON FUNCTION email_free IS
'Whether an address may become that of an account: it is no other one''s, and none may still go back to it.
One statement, so that an address that is given up while this looks is seen on one side or the other. p_player
NULL: a new account.
Called by do_change_email, do_confirm_email, do_enter_upgraded, do_register, identity_email.';
