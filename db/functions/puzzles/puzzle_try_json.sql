CREATE OR REPLACE FUNCTION puzzle_try_json(p_try puzzle_tries, p_puzzle puzzles) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'choice', p_try.choice, 'right', p_try.solved, 'answer', p_puzzle.answer,
        'choices', p_puzzle.choices, 'rating', p_try.rating, 'rating_before', p_try.rating_before,
        'puzzle_rating', p_try.puzzle_rating,
        'streak', CASE WHEN p_try.streak IS NOT NULL
                       THEN jsonb_build_object('days', p_try.streak, 'best', p_try.streak_best) END,
        'source', CASE WHEN p_puzzle.game_id IS NOT NULL
                       THEN jsonb_build_object('game', p_puzzle.game_id::text, 'hand', p_puzzle.hand_no,
                                               'turn', p_puzzle.turn_no, 'move', p_puzzle.move_no) END)
$$;

COMMENT ON FUNCTION puzzle_try_json IS
'The result of a try, which is the same for every request.
Called by do_puzzle_try, puzzle_json.';
