CREATE OR REPLACE FUNCTION do_forgot_password(p_email text, OUT code text)
    LANGUAGE sql AS $$
    INSERT INTO link_requests (kind, email) VALUES ('reset', email_key(p_email))
    RETURNING 'ok'
$$;

COMMENT ON FUNCTION do_forgot_password IS
'Stores a request to reset the password of an address. It does the same work whether an account has the
address or not; do_links_due checks that later.
Called by api.';
