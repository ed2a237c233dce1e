CREATE OR REPLACE FUNCTION board_note_insert() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_insert IS
'Records the places of new entries of a board, for board_fold.
Called by the trigger board_insert of board_entries.';

CREATE OR REPLACE FUNCTION board_note_delete() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_delete IS
'Records the places of removed entries, for board_fold.
Called by the trigger board_delete of board_entries.';

CREATE OR REPLACE FUNCTION board_note_update() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows
    UNION ALL SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_update IS
'Records the old and new places of changed entries, for board_fold.
Called by the trigger board_update of board_entries.';
