CREATE OR REPLACE FUNCTION invite_ripens() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NEW.invited_id);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION invite_ripens IS
'An invitation whose player has reached the level already is due at once.
Called by the trigger invite_ripens of invites.';
