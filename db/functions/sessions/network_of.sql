CREATE OR REPLACE FUNCTION network_of(p_address text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_address inet;
BEGIN
    IF p_address !~ '^[0-9A-Fa-f.:]+$' THEN
        RETURN NULL;
    END IF;
    v_address := regexp_replace(p_address, '^::ffff:(?=[0-9.]+$)', '', 'i')::inet;
    RETURN network(set_masklen(v_address, CASE family(v_address) WHEN 4 THEN 24 ELSE 48 END))::text;
EXCEPTION WHEN invalid_text_representation THEN
    RETURN NULL;
END $$;

COMMENT ON FUNCTION network_of IS
'An address truncated so that it reveals the location but not the person: an IPv4 address to its /24 (also
if mapped into IPv6), an IPv6 address to its /48. NULL: invalid address.
Called by do_enter_bot, do_enter_refresh, session_begin.';
