CREATE OR REPLACE FUNCTION game_points(p_place_points integer, p_opened boolean, p_cards_left integer,
                                       p_max bigint, p_opened_points bigint, p_discarded bigint)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT least(p_max, coalesce(p_place_points, 0) + CASE WHEN p_opened THEN p_opened_points ELSE 0 END
                        + greatest(0, p_discarded - p_cards_left))::integer
$$;

COMMENT ON FUNCTION game_points IS
'Points of a game for a place (p_place_points), for having opened, and for discarded cards.
Called by settle_seats.';
