CREATE OR REPLACE FUNCTION do_admin_proof(p_key_hash bytea)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:ledger_proof', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code';
END $$;

COMMENT ON FUNCTION do_admin_proof IS
'Whether a key may request the ledger check, which runs elsewhere.
Refusals: those of admin_begin.
Called by api.';
