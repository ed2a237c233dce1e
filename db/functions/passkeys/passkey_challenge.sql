CREATE OR REPLACE FUNCTION passkey_challenge_put(p_challenge_hash bytea, p_session bigint) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO passkey_challenges (slot, challenge_hash, session_id, expires_at)
    VALUES (nextval('passkey_challenge_slots') % setting_int('passkey_challenges_max'), p_challenge_hash,
            p_session, now() + make_interval(secs => setting_int('passkey_challenge_s')))
    ON CONFLICT (slot) DO UPDATE
    SET challenge_hash = EXCLUDED.challenge_hash, session_id = EXCLUDED.session_id,
        expires_at = EXCLUDED.expires_at
$$;

COMMENT ON FUNCTION passkey_challenge_put IS
'Stores the hash of an issued challenge. p_session: that of a player who adds a passkey; NULL: a sign-in.
Beyond passkey_challenges_max, the oldest challenge is dropped, so that a client that requests many cannot
keep others from getting one.
Called by do_passkey_begin, do_passkey_login_begin.';

CREATE OR REPLACE FUNCTION passkey_challenge_take(p_challenge_hash bytea, p_session bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_good boolean;
BEGIN
    DELETE FROM passkey_challenges WHERE challenge_hash = p_challenge_hash
    RETURNING session_id IS NOT DISTINCT FROM p_session AND expires_at > now() INTO v_good;
    RETURN coalesce(v_good, false);
END $$;

COMMENT ON FUNCTION passkey_challenge_take IS
'Whether a challenge was issued for this session (NULL: for a sign-in) and is still valid. The call uses it
up, so that of concurrent callers with the same challenge only one gets true.
Called by do_passkey_add, do_passkey_take.';
