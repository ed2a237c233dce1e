CREATE OR REPLACE FUNCTION do_puzzle_try(p_player bigint, p_puzzle bigint, p_choice text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_puzzle puzzles := (SELECT p FROM puzzles p WHERE p.id = p_puzzle);
    v_try    puzzle_tries := (SELECT t FROM puzzle_tries t
                              WHERE t.player_id = p_player AND t.puzzle_id = p_puzzle);
    v_code   text;
BEGIN
    v_code := CASE WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL)
                   THEN 'no_such_player'
                   WHEN v_puzzle.id IS NULL OR NOT puzzle_is_shown(v_puzzle, p_player) THEN 'no_such_puzzle'
                   WHEN v_try.player_id IS NULL AND p_choice <> ALL (v_puzzle.options) THEN 'no_such_choice'
              END;
    IF v_code IS NULL AND v_try.player_id IS NULL THEN
        v_try := puzzle_try_store(p_player, p_puzzle, p_choice);
    END IF;
    RETURN QUERY SELECT coalesce(v_code, 'ok'),
                        CASE WHEN v_code IS NULL THEN puzzle_try_json(v_try, v_puzzle)::text END;
END $$;

COMMENT ON FUNCTION do_puzzle_try IS
'A player''s try of a puzzle, which counts once: for both ratings and, if it is the daily puzzle, for the
streak. Another try gets the reply of the first.
Key: the player and the puzzle.
Refusals: no_such_player, no_such_puzzle, no_such_choice.
Called by api.';
