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
'Keeps the hash of a challenge that was given out. p_session: who adds a passkey; NULL: somebody who wants to
log in. There are passkey_challenges_max: of more, the oldest is forgotten, for nobody who asks for many shall
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
'Whether a challenge was given out for this session (NULL: for a log-in) and still counts. It is good for
nothing after that: of those who bring the same one at once, one gets true.
Called by do_passkey_add, do_passkey_take.';
