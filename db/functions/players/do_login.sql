CREATE OR REPLACE FUNCTION do_login_failed(p_email text, p_address text) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO login_failures (subject) VALUES ('account:' || lower(p_email)), ('address:' || p_address)
$$;

COMMENT ON FUNCTION do_login_failed IS
'Notes a failed log-in for the account and for the address it came from.
Called by api.';

CREATE OR REPLACE FUNCTION do_login_ok(p_email text) RETURNS void
    LANGUAGE sql AS $$
    DELETE FROM login_failures WHERE subject = 'account:' || lower(p_email)
$$;

COMMENT ON FUNCTION do_login_ok IS
'Forgets the failed log-ins of an account.
Called by do_enter_login, do_reset_password.';
