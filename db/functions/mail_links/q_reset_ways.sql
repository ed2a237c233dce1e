CREATE OR REPLACE FUNCTION q_reset_ways(p_token_hash bytea) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT 'ok', (ways_unproved(p.id, '-infinity', CASE WHEN p.email_verified_at IS NULL
                                                            THEN '-infinity' ELSE 'infinity' END::timestamptz)
                      || jsonb_build_object('can_keep', p.email_verified_at IS NOT NULL))::text
        FROM mail_proofs m JOIN players p ON p.id = m.player_id
        JOIN credentials c ON c.player_id = p.id AND c.email = m.address
        WHERE m.token_hash = p_token_hash AND m.kind = 'reset' AND m.expires_at > now()
              AND m.used_at IS NULL AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'link_invalid', NULL::text;
    END IF;
END $$;

COMMENT ON FUNCTION q_reset_ways IS
'How many sign-in methods of each kind a reset with this link would remove, and whether they can be kept.
Does not use up the link.
Refusals: link_invalid.
Called by api.';
