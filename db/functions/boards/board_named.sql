CREATE OR REPLACE FUNCTION board_named(p_variant text, p_kind text, p_period text, p_at timestamptz)
    RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM boards WHERE variant = p_variant AND kind = p_kind
            AND period = CASE p_period WHEN 'month' THEN to_char(local_day(p_at), 'YYYY-MM')
                              ELSE p_period END);
END $$;

COMMENT ON FUNCTION board_named IS
'The requested board; NULL: it has no entries yet. ''month'' is the current one.
Called by board_page_among, q_board, q_board_around.';
