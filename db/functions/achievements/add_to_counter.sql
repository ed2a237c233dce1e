CREATE OR REPLACE FUNCTION add_to_counter(p_player bigint, p_counter text, p_n bigint, p_reached boolean)
    RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_to_counters(p_player, ARRAY[p_counter], ARRAY[p_n],
                      CASE WHEN p_reached THEN ARRAY[p_counter] ELSE '{}' END);
END $$;

COMMENT ON FUNCTION add_to_counter IS
'Adds p_n to a counter of a player; p_reached: the counter becomes at least p_n. The caller holds the
player''s lock.
Called by do_counts_due.';
