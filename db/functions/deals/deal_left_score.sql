CREATE OR REPLACE FUNCTION deal_left_score() RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT -1000000000
$$;

COMMENT ON FUNCTION deal_left_score IS
'The score of a shared deal whose player left the game: lower than that of any finished play.
Called by deal_points, same_deal_result.';
