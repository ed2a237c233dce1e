CREATE OR REPLACE FUNCTION invite_terms_changed() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(NULL);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_terms_changed IS
'Marks more invitations as due, where the new requirements are met, when an operator changes the
requirements for invited players.
Called by the trigger invite_terms_changed of settings.';
