CREATE OR REPLACE FUNCTION do_admin_pack(p_key_hash bytea, p_pack text, p_name text, p_gold bigint,
                                         p_amount bigint, p_currency text, p_on_sale boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_pack', jsonb_strip_nulls(jsonb_build_object(
        'pack', p_pack, 'name', p_name, 'gold', p_gold, 'amount', p_amount, 'currency', p_currency,
        'on_sale', p_on_sale)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_packs k SET name = coalesce(p_name, name), gold = coalesce(p_gold, gold),
        price_minor = coalesce(p_amount, price_minor),
               currency = coalesce(p_currency, currency), on_sale = coalesce(p_on_sale, on_sale)
        WHERE id = p_pack RETURNING admin_pack_json(k) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_pack' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_pack IS
'Changes the given fields of a pack; NULL leaves one unchanged. Orders keep the price they were made at.
Refusals: those of admin_begin, no_such_pack.
Called by api.';
