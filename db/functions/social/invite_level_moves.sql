CREATE OR REPLACE FUNCTION invite_level_moves() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NULL);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_level_moves IS
'When an operator changes the level that pays invitations, more of them may be due.
Called by the trigger invite_level_moves of settings.';
