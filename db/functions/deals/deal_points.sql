CREATE OR REPLACE FUNCTION deal_points(p_best_high boolean, p_points integer, p_left_early boolean)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_left_early THEN deal_left_score() WHEN p_best_high THEN p_points ELSE -p_points END
$$;

COMMENT ON FUNCTION deal_points IS
'The points of a seat in a form that can be compared within one deal: more is better, and a player who left
ranks below all who stayed.
Called by settle_deals, settle_tournaments.';
