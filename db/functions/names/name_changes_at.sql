CREATE OR REPLACE FUNCTION name_changes_at(p_player players) RETURNS timestamptz
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_at timestamptz := p_player.nickname_changed_at
                        + make_interval(days => setting_int('name_change_days')::integer);
BEGIN
    RETURN CASE WHEN v_at > now() AND NOT p_player.nickname_given THEN v_at END;
END $$;

COMMENT ON FUNCTION name_changes_at IS
'When they may change their nickname again; NULL: now.
Called by do_bot_change, name_change, q_me, session_answer.';
