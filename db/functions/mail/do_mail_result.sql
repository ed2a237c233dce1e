CREATE OR REPLACE FUNCTION do_mail_result(p_id bigint, p_outcome text, p_said text) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_mail mails;
    v_over boolean;
BEGIN
    SELECT * INTO v_mail FROM mails WHERE id = p_id FOR UPDATE;
    IF v_mail.id IS NULL OR v_mail.sent_at IS NOT NULL OR v_mail.failed_at IS NOT NULL THEN
        RETURN 'over';
    END IF;
    v_over := CASE p_outcome
        WHEN 'refused' THEN true
        WHEN 'held' THEN v_mail.created_at + make_interval(secs => setting_int('mail_held_s')) <= now()
        ELSE v_mail.tries - v_mail.held >= setting_int('mail_tries_max') END;
    IF p_outcome = 'sent' THEN
        UPDATE mails SET sent_at = now(), data = '{}', said = NULL WHERE id = p_id;
    ELSIF v_over THEN
        UPDATE mails SET failed_at = now(), data = '{}', said = left(p_said, 300) WHERE id = p_id;
    ELSE
        UPDATE mails SET said = left(p_said, 300), held = held + (p_outcome = 'held')::integer,
                         next_try = now() + make_interval(secs => least(
                             setting_int(CASE p_outcome WHEN 'held' THEN 'mail_held_retry_max_s'
                                                        ELSE 'mail_retry_max_s' END),
                             setting_int('mail_retry_first_s') * power(2, least(v_mail.tries - 1, 30))))
        WHERE id = p_id;
    END IF;
    IF p_outcome = 'sent' OR v_over THEN
        DELETE FROM mails m WHERE m.id = p_id
            AND EXISTS (SELECT 1 FROM players p WHERE p.id = m.player_id AND p.deleted_at IS NOT NULL);
    END IF;
    RETURN CASE WHEN p_outcome = 'sent' THEN 'sent' WHEN v_over THEN 'given_up'
                WHEN p_outcome = 'held' THEN 'held' ELSE 'again' END;
END $$;

COMMENT ON FUNCTION do_mail_result IS
'Records the result of an attempt to send an email. p_outcome: sent; refused: permanently; again: retried
after mail_retry_first_s, then twice as long each time, mail_tries_max times in all; held: the mail server
refuses us, not the recipient, so the attempt does not count, and the email is retried at least every
mail_held_retry_max_s until it is mail_held_s old. Returns sent, again, held or given_up; over: the result
was already known. The last email to a deleted account is removed at once, together with its address.
Called by server, do_mail_claim.';
