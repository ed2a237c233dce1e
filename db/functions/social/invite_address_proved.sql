CREATE OR REPLACE FUNCTION invite_address_proved() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(ARRAY[NEW.id]);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_address_proved IS
'The same when a link confirms their address.
Called by the trigger invite_address_proved of players.';
