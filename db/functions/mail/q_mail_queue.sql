CREATE OR REPLACE FUNCTION q_mail_queue() RETURNS TABLE (mails_n bigint, oldest_s bigint)
    LANGUAGE sql STABLE AS $$
    SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at))::bigint, 0) FROM mails
    WHERE sent_at IS NULL AND failed_at IS NULL
$$;

COMMENT ON FUNCTION q_mail_queue IS
'Number of emails that are still to be sent, and the age of the oldest.
Called by server.';
