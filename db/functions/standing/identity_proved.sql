CREATE OR REPLACE FUNCTION identity_proved(p_identity identities) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM credentials
                   WHERE player_id = p_identity.player_id AND email = email_key(p_identity.email))
$$;

COMMENT ON FUNCTION identity_proved IS
'Whether a provider has verified the address of the account it is linked to, so that its owner and the owner
of the mailbox are the same person.
Called by ways_in_end, ways_unproved.';
