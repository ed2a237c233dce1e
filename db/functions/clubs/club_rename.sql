CREATE OR REPLACE FUNCTION club_rename(p_club clubs, p_name jsonb) RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM clubs o WHERE o.name_folded = p_name->>'folded' AND o.id <> p_club.id) THEN
        RETURN 'club_name_taken';
    END IF;
    UPDATE clubs SET name = p_name->>'nickname', name_folded = p_name->>'folded' WHERE id = p_club.id;
    RETURN NULL;
EXCEPTION WHEN unique_violation THEN -- another club took the name just now
    RETURN 'club_name_taken';
END $$;

COMMENT ON FUNCTION club_rename IS
'Renames a club, as api/names/nickname.h binds the name; NULL: it is unchanged. The caller holds the club''s
lock. Refusals: club_name_taken.
Called by do_admin_change_club, do_change_club.';
