CREATE OR REPLACE FUNCTION do_admin_grants(p_key_hash bytea, p_before bigint, p_unused bigint,
                                           p_unused_too bigint, p_limit bigint, p_player bigint, p_state text)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:grants', jsonb_strip_nulls(jsonb_build_object(
        'player', p_player, 'state', p_state)), NULL, NULL);
    v_old  timestamptz := now() - grant_life();
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', grant_json(g)::text, g.id, 0::bigint, 0::bigint FROM chip_grants g
        WHERE (p_before IS NULL OR g.id < p_before) AND (p_player IS NULL OR g.player_id = p_player)
          AND (p_state IS NULL OR g.state = CASE p_state WHEN 'lapsed' THEN 'waiting' ELSE p_state END)
          AND (p_state IS NULL OR p_state <> 'waiting' OR g.at > v_old)
          AND (p_state IS NULL OR p_state <> 'lapsed' OR g.at <= v_old)
        ORDER BY g.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_grants IS
'A page of grants, newest first: to one player, in one state; the first row is the head. Planned at each call,
so that omitted filters cost nothing.
Refusals: those of admin_begin.
Called by api.';
