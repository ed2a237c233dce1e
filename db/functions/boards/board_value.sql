CREATE OR REPLACE FUNCTION board_value(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_kind IN ('rating', 'bot_rating') THEN p_score >> 30 ELSE p_score END
$$;

COMMENT ON FUNCTION board_value IS
'The displayed value of a score. Inverse of board_score.
Called by board_lines, monthly_prizes_step.';
