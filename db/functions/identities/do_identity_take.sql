CREATE OR REPLACE FUNCTION do_identity_take(p_secret_hash bytea, p_issuer text, p_player bigint)
    RETURNS TABLE (code text, redirect_uri text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        DELETE FROM identity_flows
        WHERE secret_hash = p_secret_hash AND issuer = p_issuer AND player_id IS NOT DISTINCT FROM p_player
              AND expires_at > now()
        RETURNING 'ok', redirect_uri;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'flow_invalid', NULL::text;
    END IF;
END $$;

COMMENT ON FUNCTION do_identity_take IS
'Uses up the row of do_identity_begin when a client returns from the provider, so that each row is valid
once. p_player: the player who links it; NULL: it signs in.
Refusals: flow_invalid (expired, or none with this secret, provider, and player).
Called by api.';
