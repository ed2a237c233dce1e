CREATE OR REPLACE FUNCTION q_webhook_secrets_sealed(p_kid text, p_after bigint, p_max integer)
    RETURNS TABLE (id bigint, sealed bytea, kid text)
    LANGUAGE sql STABLE AS $$
    SELECT id, sealed, kid FROM webhook_secrets
    WHERE kid <> p_kid AND id > p_after ORDER BY id LIMIT p_max
$$;

COMMENT ON FUNCTION q_webhook_secrets_sealed IS
'Secrets of webhooks that are encrypted with a key other than that of p_kid: those after p_after, at most
p_max.
Called by api.';
