CREATE OR REPLACE FUNCTION ways_unproved(p_player bigint, p_since timestamptz, p_factor_since timestamptz)
    RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'passkeys', (SELECT count(*) FROM passkeys WHERE player_id = p_player),
        'providers', (SELECT count(*) FROM identities i WHERE i.player_id = p_player
                      AND i.created_at > p_since AND NOT identity_proved(i)),
        'bot_tokens', (SELECT count(*) FROM bot_accounts b JOIN bot_tokens t ON t.player_id = b.player_id
                       WHERE b.owner_id = p_player AND t.created_at > p_since),
        'second_factor', (SELECT count(*) FROM totp_factors
                          WHERE player_id = p_player AND on_at > p_factor_since))
$$;

COMMENT ON FUNCTION ways_unproved IS
'Number of sign-in methods of each kind that ways_in_end would remove from an account.
Called by q_reset_ways, ways_in_end.';
