CREATE OR REPLACE FUNCTION do_admin_players(p_key_hash bytea, p_q text, p_folded text, p_before bigint,
                                            p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(
        p_key_hash, 'read:players',
        CASE WHEN p_q ~ '^[0-9]*$' THEN jsonb_build_object('q', p_q)
             ELSE jsonb_build_object('by', 'nickname') END, NULL, NULL);
    v_id   bigint     := CASE WHEN p_q ~ '^[0-9]{1,18}$' THEN p_q::bigint END;
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' <> 'ok' THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT 'ok', admin_player_item(p)::text, p.id, 0::bigint, 0::bigint
    FROM players p
    WHERE p.id = ANY (ARRAY(
              SELECT x.id FROM (
                  (SELECT id FROM players WHERE p_q IS NULL AND (p_before IS NULL OR id < p_before)
                   ORDER BY id DESC LIMIT p_limit)
                  UNION ALL (SELECT id FROM players WHERE id = v_id)
                  UNION ALL (SELECT id FROM players
                             WHERE nickname_folded ~>=~ p_folded
                               AND nickname_folded ~<~ (p_folded || chr(1114111)))) x))
      AND (p_before IS NULL OR p.id < p_before)
    ORDER BY p.id DESC LIMIT p_limit;
END $$;

COMMENT ON FUNCTION do_admin_players IS
'A page of players whose id is p_q, or whose nickname begins with it (NULL: all), newest first; the first row
is the head. p_folded: p_q with case and width folded, like nickname_folded. The audit log is kept forever,
so it contains no names.
Refusals: those of admin_begin.
Called by api.';
