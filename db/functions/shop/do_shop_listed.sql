CREATE OR REPLACE FUNCTION do_shop_listed(p_provider text, p_until_s bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_lists SET listed_until = greatest(listed_until, to_timestamp(p_until_s))
    WHERE provider = p_provider;
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_shop_listed IS
'Records that all events of a provider up to this time have been processed.
Called by server.';
