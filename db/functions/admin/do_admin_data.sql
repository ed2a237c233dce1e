CREATE OR REPLACE FUNCTION do_admin_data(p_key_hash bytea, p_kind text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:' || p_kind, '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code',
    (CASE WHEN v_call.answer->>'code' = 'ok' THEN jsonb_build_object('items', CASE p_kind
        WHEN 'rooms' THEN (SELECT jsonb_agg(admin_room_json(r) ORDER BY r.position) FROM rooms r)
        WHEN 'packs' THEN (SELECT jsonb_agg(admin_pack_json(k) ORDER BY k.position) FROM shop_packs k)
        WHEN 'prize_tables' THEN (SELECT jsonb_agg(prize_table_json(z.id) ORDER BY z.id) FROM prize_tables z)
        ELSE (SELECT jsonb_agg(admin_achievement_json(a) ORDER BY a.position)
              FROM achievements a) END)
        || CASE p_kind WHEN 'rooms' THEN jsonb_build_object('titles',
            (SELECT jsonb_agg(jsonb_build_object('name', t.name, 'level_from', t.level_from)
                              ORDER BY t.level_from)
             FROM titles t)) ELSE '{}' END END)::text;
END $$;

COMMENT ON FUNCTION do_admin_data IS
'Data that operators change without a build, as JSON. p_kind: rooms, packs, achievements, prize_tables. Rooms
come with the titles that may unlock one.
Refusals: those of admin_begin.
Called by api.';
