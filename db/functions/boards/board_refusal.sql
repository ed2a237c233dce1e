CREATE OR REPLACE FUNCTION board_refusal(p_variant text, p_kind text, p_period text) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN p_kind NOT IN ('rating', 'clover', 'wins', 'rummies', 'bot_rating',
                                             'bot_wins')
                             OR p_variant NOT IN (SELECT variant FROM ranked_variants) THEN 'no_such_board'
                        WHEN p_period NOT IN ('all', 'month') AND p_period !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'
                           THEN 'no_such_period' END);
END $$;

COMMENT ON FUNCTION board_refusal IS
'Why there is no such board; NULL: there is one. A month is named ''YYYY-MM''; ''month'' is the current one.
Refusals: no_such_board, no_such_period.
Called by board_page, q_board_around.';
