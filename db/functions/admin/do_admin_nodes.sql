CREATE OR REPLACE FUNCTION do_admin_nodes(p_key_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:nodes', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, 'ok', jsonb_build_object('nodes', admin_nodes())));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_nodes IS
'The registry of nodes.
Refusals: those of admin_begin.
Called by api.';
