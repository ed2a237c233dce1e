CREATE OR REPLACE FUNCTION q_factor(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object(
        'on', f.on_at IS NOT NULL, 'since', rfc3339(f.on_at),
        'recovery_codes_left', (SELECT count(*) FROM recovery_codes r WHERE r.player_id = f.player_id))::text
    FROM (SELECT p_player) p LEFT JOIN totp_factors f ON f.player_id = p_player
$$;

COMMENT ON FUNCTION q_factor IS
'Whether an account has a second factor, since when, and how many recovery codes are left, as JSON.
Called by api.';
