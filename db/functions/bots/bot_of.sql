CREATE OR REPLACE FUNCTION bot_of(p_owner bigint, p_bot bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT player_id FROM bot_accounts
            WHERE player_id = p_bot AND owner_id = p_owner AND retired_at IS NULL);
END $$;

COMMENT ON FUNCTION bot_of IS
'The bot, if it belongs to this owner and has not been retired; otherwise NULL.
Called by do_bot_change, do_bot_retire, do_bot_token_make, do_bot_token_revoke, q_bot_tokens.';
