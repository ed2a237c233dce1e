CREATE OR REPLACE FUNCTION admin_achievement_json(a achievements) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', a.id, 'gold', a.gold, 'counter', a.counter, 'goal', a.goal)
$$;

COMMENT ON FUNCTION admin_achievement_json IS
'An achievement as an operator sees it.
Called by do_admin_achievement, do_admin_data.';
