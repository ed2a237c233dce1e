CREATE OR REPLACE FUNCTION q_passkeys(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce(jsonb_agg(passkey_json(k) ORDER BY k.id), '[]'))::text
    FROM passkeys k WHERE k.player_id = p_player
$$;

COMMENT ON FUNCTION q_passkeys IS
'The passkeys of a player as JSON, in the order in which they were added.
Called by api.';
