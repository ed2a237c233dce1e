-- As in 0040; the place of a line is looked for once, not once for each time it is written (OFFSET 0 keeps the planner from copying it).
CREATE OR REPLACE FUNCTION board_lines(p_reader bigint, p_board integer, p_players bigint[], p_scores bigint[], p_places bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint, body jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    RETURN QUERY
    SELECT e.player_id, e.score, o.place, jsonb_build_object(
        'place', o.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
        'value', board_value(v_board.kind, e.score), 'games', r.games, 'own', e.player_id = p_reader)
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, given)
    CROSS JOIN LATERAL (SELECT coalesce(e.given, board_place(p_board, e.score, e.player_id)) AS place OFFSET 0) o
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period
    ORDER BY e.score DESC, e.player_id;
END $$;
