CREATE OR REPLACE FUNCTION session_fresh(p_player bigint, p_session bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM sessions WHERE id = p_session AND player_id = p_player
                   AND created_at > now() - make_interval(secs => setting_int('identity_fresh_s')))
$$;

COMMENT ON FUNCTION session_fresh IS
'Whether a session of a player began within identity_fresh_s, with everything that their account requires at a
sign-in, which a stolen session rarely satisfies.
Called by identity_change, reauth_account.';
