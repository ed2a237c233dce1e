CREATE OR REPLACE FUNCTION do_admin_collusion(p_key_hash bytea, p_sort text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'read:collusion', '{}', NULL, NULL);
    v_since timestamptz := now() - make_interval(days => setting_int('collusion_days')::integer);
BEGIN
    IF v_call.answer IS NULL THEN
        v_call.answer := admin_end(v_call, 'ok', jsonb_build_object(
            'since', rfc3339(v_since), 'items', collusion_pairs(v_since, p_sort),
            'new_accounts', collusion_addresses(v_since)));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_collusion IS
'Pairs of players who keep meeting and how they take each other''s discards (collusion_pairs), and addresses
with many new accounts (collusion_addresses), as JSON.
Refusals: those of admin_begin.
Called by api.';
