CREATE OR REPLACE FUNCTION count_towards(p_player bigint, p_counter text, p_n bigint, p_reached boolean)
    RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_all(p_player, ARRAY[p_counter], ARRAY[p_n],
                      CASE WHEN p_reached THEN ARRAY[p_counter] ELSE '{}' END);
END $$;

COMMENT ON FUNCTION count_towards IS
'Adds p_n to a counter of a player; p_reached: the counter becomes at least p_n. The caller holds the
player''s lock.
Called by do_counts_due.';
