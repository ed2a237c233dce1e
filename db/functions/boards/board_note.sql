CREATE OR REPLACE FUNCTION board_note_new() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_new IS
'Notes where new entries of a board stand, for board_fold.
Called by the trigger board_new of board_entries.';

CREATE OR REPLACE FUNCTION board_note_old() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_old IS
'Notes where entries stood that are gone, for board_fold.
Called by the trigger board_old of board_entries.';

CREATE OR REPLACE FUNCTION board_note_both() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows
    UNION ALL SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION board_note_both IS
'Notes where changed entries stood and where they stand now, for board_fold.
Called by the trigger board_both of board_entries.';
