CREATE OR REPLACE FUNCTION do_forgot_password(p_email text) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO link_requests (kind, email) VALUES ('reset', email_key(p_email))
$$;

COMMENT ON FUNCTION do_forgot_password IS
'Stores a request to reset the password of an address. The same work whether it has an account or not:
do_links_due checks that later.
Called by api.';
