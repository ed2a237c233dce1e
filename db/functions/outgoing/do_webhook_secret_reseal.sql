CREATE OR REPLACE FUNCTION do_webhook_secret_reseal(p_id bigint, p_old bytea, p_sealed bytea, p_kid text)
    RETURNS void
    LANGUAGE sql AS $$
    UPDATE webhook_secrets SET sealed = p_sealed, kid = p_kid WHERE id = p_id AND sealed = p_old
$$;

COMMENT ON FUNCTION do_webhook_secret_reseal IS
'Stores the secret of a webhook, encrypted again with the key of p_kid; p_old: the encrypted secret that was
read. If it has changed since, nothing happens.
Called by api.';
