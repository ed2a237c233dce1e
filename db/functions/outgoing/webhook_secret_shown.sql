CREATE OR REPLACE FUNCTION webhook_secret_shown(p_answer jsonb)
    RETURNS TABLE (code text, body text, sealed text, kid text)
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p_answer->>'code', (body - '{sealed,kid}'::text[])::text, body->>'sealed', body->>'kid'
    FROM (SELECT nullif(p_answer->'body', 'null')) AS b (body)
$$;

COMMENT ON FUNCTION webhook_secret_shown IS
'The reply to a call that created a secret, with the encrypted secret in hexadecimal.
Called by do_admin_webhook, do_admin_webhook_secret.';
