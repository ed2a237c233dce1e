CREATE OR REPLACE FUNCTION invite_made() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(ARRAY[NEW.invited_id]);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_made IS
'Makes an invitation due at once if its player has already played enough.
Called by the trigger invite_made of invites.';
