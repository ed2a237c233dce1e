CREATE OR REPLACE FUNCTION bot_retire(p_bot bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE bot_accounts SET retired_at = coalesce(retired_at, now()) WHERE player_id = p_bot;
    INSERT INTO deletions (player_id, due_at) VALUES (p_bot, now()) ON CONFLICT DO NOTHING;
    RETURN bot_tokens_end(p_bot, NULL);
END $$;

COMMENT ON FUNCTION bot_retire IS
'Retires a bot: its tokens and sessions end at once, it can take no more seats, and the job erase_players
removes the rest once its games have ended. Returns the sessions that this call ended.
Called by bots_retire, do_bot_retire.';
