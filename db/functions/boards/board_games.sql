CREATE OR REPLACE FUNCTION board_games(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_kind IN ('rating', 'bot_rating') THEN p_score & 1073741823 END
$$;

COMMENT ON FUNCTION board_games IS
'The games a score bears in its low bits; NULL where it bears none. The other side of board_score.
Called by board_lines.';
