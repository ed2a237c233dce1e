CREATE OR REPLACE FUNCTION email_key(p_email text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT lower(p_email COLLATE "C")
$$;

COMMENT ON FUNCTION email_key IS
'An email address in the form in which it is stored and compared: A to Z in lower case and everything else
unchanged, regardless of the locale of the database.
Called everywhere.';
