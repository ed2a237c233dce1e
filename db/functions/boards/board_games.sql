CREATE OR REPLACE FUNCTION board_games(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_kind IN ('rating', 'bot_rating') THEN p_score & 1073741823 END
$$;

COMMENT ON FUNCTION board_games IS
'The number of games stored in the low bits of a score; NULL if the score does not contain one. Inverse of
board_score.
Called by board_lines.';
