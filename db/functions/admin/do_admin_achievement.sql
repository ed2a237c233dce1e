CREATE OR REPLACE FUNCTION do_admin_achievement(p_key_hash bytea, p_achievement text, p_gold bigint,
                                                p_goal bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_achievement', jsonb_strip_nulls(jsonb_build_object(
        'achievement', p_achievement, 'gold', p_gold, 'goal', p_goal)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE achievements a SET gold = coalesce(p_gold, gold), goal = coalesce(p_goal, goal)
        WHERE id = p_achievement RETURNING admin_achievement_json(a) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_achievement' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_achievement IS
'Changes the given fields of an achievement; NULL leaves one unchanged. Players who have earned it keep it
and its gold.
Refusals: those of admin_begin, no_such_achievement.
Called by api.';
