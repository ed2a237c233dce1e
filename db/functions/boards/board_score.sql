CREATE OR REPLACE FUNCTION board_score(p_kind text, r ratings) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_kind IN ('rating', 'bot_rating')
                THEN (r.rating::bigint << 30) + least(r.games, 1073741823)
                WHEN p_kind = 'clover' THEN r.clover
                WHEN p_kind IN ('wins', 'bot_wins') THEN r.wins ELSE r.rummies END
$$;

COMMENT ON FUNCTION board_score IS
'The score of a rating on a board. Among equal ratings, the one with more games is higher; on the other
boards, the older account comes first.
Called by q_ratings_check, rank_ratings.';
