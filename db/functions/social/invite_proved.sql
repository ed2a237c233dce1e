CREATE OR REPLACE FUNCTION invite_proved() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(ARRAY[NEW.player_id]);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_proved IS
'When a player gets a passkey or a sign-in provider, their invitation may be due.
Called by the trigger invite_proved of identities, the trigger invite_proved of passkeys.';
