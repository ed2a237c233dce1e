CREATE OR REPLACE FUNCTION q_reset_link(p_token_hash bytea)
    RETURNS TABLE (code text, email text, nickname text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT 'ok', c.email, p.nickname
                 FROM mail_proofs m JOIN players p ON p.id = m.player_id
                 JOIN credentials c ON c.player_id = p.id
                 WHERE m.token_hash = p_token_hash AND m.kind = 'reset' AND m.expires_at > now()
                       AND m.used_at IS NULL
                       AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'link_invalid', NULL::text, NULL::text;
    END IF;
END $$;

COMMENT ON FUNCTION q_reset_link IS
'Whether a link can reset a password, and what the new one must not contain. Called before hashing the
password, which is expensive.
Refusals: link_invalid.
Called by api.';
