CREATE OR REPLACE FUNCTION do_admin_tournaments(p_key_hash bytea, p_before bigint, p_unused bigint,
                                                p_unused_too bigint, p_limit bigint, p_state text,
                                                p_kind text, p_variant text)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:tournaments', jsonb_strip_nulls(jsonb_build_object(
        'state', p_state, 'kind', p_kind, 'variant', p_variant)), NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', tournament_json(t)::text, t.id, 0::bigint, 0::bigint
        FROM tournaments t
        WHERE (p_before IS NULL OR t.id < p_before)
          AND (p_state IS NULL OR t.state = p_state OR p_state = 'cancelled' AND t.state = 'cancelling')
          AND (p_kind IS NULL OR t.kind = p_kind) AND (p_variant IS NULL OR t.variant = p_variant)
        ORDER BY t.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_tournaments IS
'A page of tournaments, newest first: in one state, of one kind, of one variant; the first row is the head.
Planned at each call, so that omitted filters cost nothing.
Refusals: those of admin_begin.
Called by api.';
