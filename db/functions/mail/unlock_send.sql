CREATE OR REPLACE FUNCTION unlock_send(p_player bigint, p_email text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    -- Another node is processing it and will send the email.
    IF NOT pg_try_advisory_xact_lock(hashtextextended('rummyd unlock ' || p_player, 0)) THEN
        RETURN;
    END IF;
    IF recent_emails_n(p_player, 'unlock', setting_int('mail_unlock_s')) = 0 AND EXISTS (
        SELECT 1 FROM login_attempts
        WHERE account_hash = sha256(convert_to(p_email, 'UTF8')) AND failed AND NOT factor) THEN
        PERFORM mail_proof_send(p_player, 'unlock', p_email, 'unlock', '{}');
    END IF;
END $$;

COMMENT ON FUNCTION unlock_send IS
'Sends a link that unlocks an account locked by wrong passwords: at most one within the lifetime of a link, so
that repeated locking does not fill a mailbox. Sends none for a lock by second-factor codes, which an email
cannot lift.
Called by do_links_due.';
