CREATE OR REPLACE FUNCTION do_puzzle_import(p_line text) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN p_line::jsonb ? 'position' AND puzzle_put(p_line::jsonb, NULL);
END $$;

COMMENT ON FUNCTION do_puzzle_import IS
'Adds a puzzle from a line of the data set; false: it already exists, or the line is the head of the file.
Key: its position.
Called by server.';
