CREATE OR REPLACE FUNCTION session_answer(p_code text, p_player bigint, p_session bigint = NULL,
                                          p_ended bigint[] = NULL)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer session_answer;
BEGIN
    IF p_code = 'ok' THEN
        PERFORM do_daily_bonus(ARRAY[p_player], now());
        SELECT 'ok', m.* INTO v_answer FROM q_me(p_player) m;
    ELSE
        v_answer.code := p_code;
        v_answer.nickname_changes_at := (SELECT (extract(epoch FROM name_changes_at(p)) * 1000)::bigint
                                         FROM players p WHERE p.id = p_player AND p_code = 'name_too_soon');
    END IF;
    v_answer.session_id := p_session;
    v_answer.ended := p_ended;
    RETURN v_answer;
END $$;

COMMENT ON FUNCTION session_answer IS
'The reply to a sign-in: the code and, if it is ok, the profile; for name_too_soon, the time at which the
name may be changed. Signing in or renewing a session first credits the daily bonus that is due. p_session:
the player''s session; p_ended: sessions that this call ended.
Called by do_change_me, do_enter_factor, do_enter_guest, do_enter_identity, do_enter_login, do_enter_passkey,
do_enter_refresh, do_enter_registered, do_enter_upgraded, do_link_identity, enter_session.';
