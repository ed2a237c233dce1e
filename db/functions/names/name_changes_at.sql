CREATE OR REPLACE FUNCTION name_changes_at(p_player players) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_player.nickname_changed_at IS NOT NULL AND NOT p_player.nickname_given
                     AND p_player.nickname_changed_at + name_cooldown() > now()
                THEN p_player.nickname_changed_at + name_cooldown() END
$$;

COMMENT ON FUNCTION name_changes_at IS
'When a player may change their nickname again; NULL: now. Written as one expression, so that PostgreSQL can
inline it into the calling query. A function call would double the cost of reading a player, and most
players have never changed their name.
Called by do_bot_change, name_change, q_me, session_answer.';
