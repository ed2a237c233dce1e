CREATE OR REPLACE FUNCTION quest_json(p_id text, p_counter text, p_variant text, p_goal bigint, p_gold bigint)
    RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN jsonb_build_object('id', p_id, 'counter', p_counter, 'variant', p_variant, 'goal', p_goal,
                              'gold', p_gold);
END $$;

COMMENT ON FUNCTION quest_json IS
'A quest in the form used by lists and notifications.
Called by add_to_quests, notify_games, q_quests.';
