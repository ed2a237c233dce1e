CREATE OR REPLACE FUNCTION puzzle_try_store(p_player bigint, p_puzzle bigint, p_choice text)
    RETURNS puzzle_tries
    LANGUAGE plpgsql AS $$
DECLARE
    v_day    date := (now() AT TIME ZONE 'UTC')::date;
    v_player puzzle_players;
    v_puzzle puzzles;
    v_try    puzzle_tries;
    v_solved boolean;
    v_own    glicko;
    v_its    glicko;
    v_streak integer;
BEGIN
    PERFORM do_puzzle_days();
    -- First the player, so that their tries are serialized; then the puzzle. Every try takes the locks in
    -- this order.
    INSERT INTO puzzle_players (player_id) VALUES (p_player) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT v_player FROM puzzle_players WHERE player_id = p_player FOR UPDATE;
    SELECT * INTO STRICT v_puzzle FROM puzzles WHERE id = p_puzzle FOR NO KEY UPDATE;
    SELECT * INTO v_try FROM puzzle_tries WHERE player_id = p_player AND puzzle_id = p_puzzle;
    IF v_try.player_id IS NOT NULL THEN
        RETURN v_try;
    END IF;
    v_solved := p_choice = v_puzzle.answer;
    v_own := ROW(v_player.rating, v_player.rd, v_player.volatility);
    v_its := ROW(v_puzzle.rating, v_puzzle.rd, v_puzzle.volatility);
    IF EXISTS (SELECT 1 FROM puzzle_days WHERE day = v_day AND puzzle_id = p_puzzle) THEN
        v_streak := 1 + CASE WHEN v_player.streak_day = v_day - 1 THEN v_player.streak ELSE 0 END;
    END IF;
    UPDATE puzzle_players
    SET (rating, rd, volatility) = (SELECT g.rating, g.rd, g.volatility
                                    FROM glicko2(v_own, ARRAY[v_its], ARRAY[v_solved::integer]) g),
        tried_n = tried_n + 1, solved_n = solved_n + v_solved::integer,
        streak = coalesce(v_streak, streak), streak_best = greatest(streak_best, v_streak),
        streak_day = CASE WHEN v_streak IS NULL THEN streak_day ELSE v_day END
    WHERE player_id = p_player RETURNING * INTO v_player;
    UPDATE puzzles
    SET (rating, rd, volatility) = (SELECT g.rating, g.rd, g.volatility
                                    FROM glicko2(v_its, ARRAY[v_own], ARRAY[1 - v_solved::integer]) g),
        tries_n = tries_n + 1, solved_n = solved_n + v_solved::integer
    WHERE id = p_puzzle RETURNING * INTO v_puzzle;
    INSERT INTO puzzle_tries (player_id, puzzle_id, choice, solved, rating_before, rating, puzzle_rating,
                              streak, streak_best)
    VALUES (p_player, p_puzzle, p_choice, v_solved, round(v_own.rating), round(v_player.rating),
            round(v_puzzle.rating), v_streak, CASE WHEN v_streak IS NOT NULL THEN v_player.streak_best END)
    RETURNING * INTO v_try;
    RETURN v_try;
END $$;

COMMENT ON FUNCTION puzzle_try_store IS
'Stores a try that the puzzle and the player allow; returns the first try, if another one came before it.
Called by do_puzzle_try.';
