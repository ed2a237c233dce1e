CREATE OR REPLACE FUNCTION do_mail_claim()
    RETURNS TABLE (id bigint, token uuid, address text, language text, template text, data jsonb,
                   created_at bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_mail mails;
BEGIN
    LOOP
        SELECT * INTO v_mail FROM mails
        WHERE next_try <= now() AND sent_at IS NULL AND failed_at IS NULL
        ORDER BY next_try LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND;
        IF v_mail.tries - v_mail.held >= setting_int('mail_tries_max') THEN
            PERFORM do_mail_result(v_mail.id, 'again', 'its last sender never told what became of it');
            CONTINUE;
        END IF;
        UPDATE mails SET tries = tries + 1,
                         next_try = now() + make_interval(secs => setting_int('mail_lease_s'))
        WHERE id = v_mail.id;
        RETURN QUERY SELECT v_mail.id, v_mail.token, v_mail.address, p.language, v_mail.template,
                            v_mail.data, (extract(epoch FROM v_mail.created_at) * 1000)::bigint
                     FROM players p WHERE p.id = v_mail.player_id;
        RETURN;
    END LOOP;
END $$;

COMMENT ON FUNCTION do_mail_claim IS
'Claims the email that has been due longest, for mail_lease_s; no row: none is due. Concurrent callers get
different ones. If a server dies while sending an email, the next one may send it a second time, with the
same Message-ID.
Called by server.';
