CREATE OR REPLACE FUNCTION admin_pack_json(k shop_packs) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', k.id, 'name', k.name, 'gold', k.gold, 'amount', k.price_minor,
                              'currency', k.currency, 'on_sale', k.on_sale)
$$;

COMMENT ON FUNCTION admin_pack_json IS
'A pack as an operator sees it.
Called by do_admin_data, do_admin_pack.';
