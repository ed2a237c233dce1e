CREATE OR REPLACE FUNCTION invite_proved() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(ARRAY[NEW.player_id]);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_proved IS
'Makes a player''s invitation due, if the requirements are met, when they get a passkey or a sign-in
provider.
Called by the trigger invite_proved of identities, the trigger invite_proved of passkeys.';
