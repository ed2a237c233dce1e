CREATE OR REPLACE FUNCTION invite_address_proved() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(ARRAY[NEW.id]);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_address_proved IS
'Does the same as invite_proved when a link confirms the player''s address.
Called by the trigger invite_address_proved of players.';
