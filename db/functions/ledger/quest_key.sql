CREATE OR REPLACE FUNCTION quest_key(p_player bigint, p_week date, p_quest text) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN 'quest:' || p_player || ':' || to_char(p_week, 'YYYY-MM-DD') || ':' || p_quest;
END $$;

COMMENT ON FUNCTION quest_key IS
'The key of the transfer that pays a quest: `quest:<player>:<Monday of its week>:<id>`.
Called by add_to_quests, ledger_check_rewards, settle_post.';
