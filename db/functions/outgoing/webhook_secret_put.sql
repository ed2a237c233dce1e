CREATE OR REPLACE FUNCTION webhook_secret_put(e webhook_endpoints, p_sealed bytea, p_kid text) RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM webhook_secrets WHERE endpoint_id = e.id AND until IS NOT NULL;
    UPDATE webhook_secrets SET until = now() + make_interval(secs => setting_int('webhook_overlap_s'))
    WHERE endpoint_id = e.id;
    INSERT INTO webhook_secrets (endpoint_id, sealed, kid) VALUES (e.id, p_sealed, p_kid);
    RETURN admin_webhook_json(e) || jsonb_build_object('sealed', encode(p_sealed, 'hex'), 'kid', p_kid);
END $$;

COMMENT ON FUNCTION webhook_secret_put IS
'Gives an endpoint a secret; the previous one also signs for webhook_overlap_s. Returns the reply to the
operator''s call in the form in which it is stored: the endpoint with the encrypted secret, so that a repeat
can show it.
Called by do_admin_webhook, do_admin_webhook_secret.';
