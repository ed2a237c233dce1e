CREATE OR REPLACE FUNCTION do_puzzle_mined(p_holder bigint, p_game bigint, p_lines text[])
    RETURNS TABLE (code text, puzzles_n bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_n    bigint := 0;
    v_line text;
BEGIN
    PERFORM 1 FROM puzzle_mining WHERE holder = p_holder FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'mining_held', v_n;
        RETURN;
    END IF;
    FOREACH v_line IN ARRAY p_lines LOOP
        v_n := v_n + puzzle_put(v_line::jsonb, p_game)::integer;
    END LOOP;
    DELETE FROM puzzle_games_due WHERE game_id = p_game;
    UPDATE puzzle_mining m SET game_id = greatest(m.game_id, p_game);
    RETURN QUERY SELECT 'ok', v_n;
END $$;

COMMENT ON FUNCTION do_puzzle_mined IS
'Stores the puzzles found in a game, and records that it was searched. A job whose lease another job has taken
over in the meantime stores nothing.
Key: the game; each puzzle is stored once.
Refusals: mining_held.
Called by server.';
