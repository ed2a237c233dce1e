CREATE OR REPLACE FUNCTION invite_terms_changed() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(NULL);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_terms_changed IS
'When an operator changes the requirements for invited players, more invitations may be due.
Called by the trigger invite_terms_changed of settings.';
