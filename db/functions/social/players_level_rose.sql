CREATE OR REPLACE FUNCTION players_level_rose() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_risen bigint[] := ARRAY(SELECT id FROM (SELECT id, level FROM new_rows
                                              UNION ALL SELECT id, -level FROM old_rows) x
                              GROUP BY id HAVING sum(level) > 0);
BEGIN
    IF cardinality(v_risen) > 0 THEN
        PERFORM note_invites_due(v_risen);
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION players_level_rose IS
'When players rise a level, their invitations may be due.
Called by the trigger players_level_rose of players.';
