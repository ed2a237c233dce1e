CREATE OR REPLACE FUNCTION do_admin_drain(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_node text,
                                          p_drain boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, CASE WHEN p_drain THEN 'drain_node' ELSE 'undrain_node' END,
                                     jsonb_build_object('node', p_node), p_idem_key, p_body_hash);
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE node_leases SET drain = p_drain WHERE node = p_node AND node_is_alive(node);
        v_code := CASE WHEN FOUND THEN 'ok' ELSE 'no_such_node' END;
        v_call.answer := admin_end(v_call, v_code, (
            SELECT n FROM jsonb_array_elements(admin_nodes()) n WHERE n->>'name' = p_node));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', v_call.answer->>'body';
END $$;

COMMENT ON FUNCTION do_admin_drain IS
'Makes a node hand over its tables and accept none, until it restarts or draining is canceled (p_drain
false). The node is notified within 1 s; body: the current state of the node.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_node (no running node has that name).
Called by api.';
