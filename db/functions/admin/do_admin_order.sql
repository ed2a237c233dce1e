CREATE OR REPLACE FUNCTION do_admin_order(p_key_hash bytea, p_order bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:order', jsonb_build_object('order', p_order),
                                          admin_order_json(p_order), 'no_such_order');
END $$;

COMMENT ON FUNCTION do_admin_order IS
'An order as an operator sees it.
Refusals: those of admin_begin, no_such_order.
Called by api.';
