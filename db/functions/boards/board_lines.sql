CREATE OR REPLACE FUNCTION board_lines(p_reader bigint, p_board integer, p_players bigint[],
                                       p_scores bigint[], p_places bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint, body json)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    IF p_places IS NULL THEN
        SELECT array_agg(f.player_id), array_agg(f.score), array_agg(f.place)
        INTO p_players, p_scores, p_places
        FROM board_places(p_board, p_players, p_scores) f;
    END IF;
    RETURN QUERY
    SELECT e.player_id, e.score, e.place, json_build_object(
        'place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar,
        'title', l.title, 'value', board_value(v_board.kind, e.score), 'own', e.player_id = p_reader,
        'games', coalesce(board_games(v_board.kind, e.score), (
            SELECT r.games FROM ratings r
            WHERE r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period)))
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, place)
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    ORDER BY e.score DESC, e.player_id;
END $$;

COMMENT ON FUNCTION board_lines IS
'Rows of a board for the given entries, best first, in the API''s format. Places are taken as given, or
computed if NULL.
Called by board_page, q_board_around.';
