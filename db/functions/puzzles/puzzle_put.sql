CREATE OR REPLACE FUNCTION puzzle_put(p_line jsonb, p_game bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO puzzles (variant, players_n, seat, theme, tags, position, options, choices, answer, origin,
                         game_id, hand_no, turn_no, move_no, rating, reserved, deals_n)
    SELECT p.variant, p.players, p.seat, p.theme, p.tags, p.position, p.options, p.choices, p.answer,
           CASE WHEN p_game IS NULL THEN 'starter' ELSE 'game' END, p_game,
           CASE WHEN p_game IS NOT NULL THEN p.hand END, CASE WHEN p_game IS NOT NULL THEN p.turn END,
           CASE WHEN p_game IS NOT NULL THEN p.move END,
           CASE WHEN 'trap' = ANY (p.tags) THEN 1600 ELSE 1400 END,
           (SELECT count(*) % 2 = 0 FROM puzzles q WHERE q.variant = p.variant), p.deals
    FROM jsonb_to_record(p_line) AS p (variant text, players smallint, seat smallint, theme text,
                                       tags text[], position text, options text[], choices jsonb,
                                       answer text, hand integer, turn integer, move integer, deals integer)
    WHERE NOT EXISTS (SELECT 1 FROM puzzles q WHERE md5(q.position) = md5(p.position))
    ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;

COMMENT ON FUNCTION puzzle_put IS
'Adds a puzzle from a line of the data set, unless its position or its moment already exists. Every second
puzzle of a variant is reserved for a future day. A puzzle that a quick bot fails to solve starts with a
higher rating.
Called by do_puzzle_import, do_puzzle_mined.';
