CREATE OR REPLACE FUNCTION do_shop_claim_list(p_provider text)
    RETURNS TABLE (from_s bigint, until_s bigint)
    LANGUAGE sql AS $$
    INSERT INTO shop_lists AS l (provider, listed_until, asked_at)
    VALUES (p_provider, now() - make_interval(secs => setting_int('shop_list_first_s')), clock_timestamp())
    ON CONFLICT (provider) DO UPDATE SET asked_at = clock_timestamp()
    WHERE l.asked_at <= now() - make_interval(secs => setting_int('shop_list_s'))
    RETURNING floor(extract(epoch FROM l.listed_until))::bigint - setting_int('shop_list_overlap_s'),
              floor(extract(epoch FROM now()))::bigint
$$;

COMMENT ON FUNCTION do_shop_claim_list IS
'Claims a provider''s event list from a time before the last list that was read to its end; no row: it was
read recently. until_s: the value to store (do_shop_listed) once the whole list has been processed. Both
times are rounded down, because providers report whole seconds, and an event of the current second may still
follow.
Called by server.';
