CREATE OR REPLACE FUNCTION invite_level_changed() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(NULL);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_level_changed IS
'When an operator changes the level that pays invitations, more of them may be due.
Called by the trigger invite_level_changed of settings.';
