CREATE OR REPLACE FUNCTION record_renamed(p_record text, p_seat integer, p_name text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(p_record, '^\[Name' || p_seat || ' "([^"\\]|\\.)*"\]$',
                          '[Name' || p_seat || ' "' || p_name || '"]', 'ng')
$$;

COMMENT ON FUNCTION record_renamed IS
'A record with one seat''s name replaced; p_name contains nothing that needs escaping in a record. No hash
or proof covers names (docs/records.md), so the record remains valid.
Called by erase_names.';
