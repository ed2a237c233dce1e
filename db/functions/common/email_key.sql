CREATE OR REPLACE FUNCTION email_key(p_email text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT lower(p_email COLLATE "C")
$$;

COMMENT ON FUNCTION email_key IS
'An email address in the form that is stored and compared: A to Z in lower case and everything else unchanged,
whatever the locale of the database.
Called everywhere.';
