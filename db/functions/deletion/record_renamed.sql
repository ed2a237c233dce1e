CREATE OR REPLACE FUNCTION record_renamed(p_record text, p_seat integer, p_name text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(p_record, '^\[Name' || p_seat || ' "([^"\\]|\\.)*"\]$',
                          '[Name' || p_seat || ' "' || p_name || '"]', 'ng')
$$;

COMMENT ON FUNCTION record_renamed IS
'A record in which a seat bears another name; p_name has nothing that a record escapes. No hash and no proof
covers names (docs/records.md), so it holds as it did.
Called by erase_names.';
