CREATE OR REPLACE FUNCTION session_fresh(p_player bigint, p_session bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM sessions WHERE id = p_session AND player_id = p_player
                   AND created_at > now() - make_interval(secs => setting_int('identity_fresh_s')))
$$;

COMMENT ON FUNCTION session_fresh IS
'Whether a session of a player began within identity_fresh_s, with all that their account asks for at a
log-in: whoever found one of theirs has hardly found such a one.
Called by identity_change, reauth_account.';
