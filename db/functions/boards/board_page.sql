CREATE OR REPLACE FUNCTION board_page(p_reader bigint, p_board integer, p_variant text, p_kind text,
                                      p_period text, p_players bigint[], p_scores bigint[],
                                      p_places bigint[])
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind,
        'period', coalesce((SELECT period FROM boards WHERE id = p_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, p_board, p_players, p_scores, p_places) l;
END $$;

COMMENT ON FUNCTION board_page IS
'A page of a board: the first row is its head, followed by the rows of these entries. p_board: the board
with these names; NULL: it has no entries yet. Places are taken as given, or computed if NULL.
Refusals: those of board_refusal.
Called by board_page_among, q_board.';
