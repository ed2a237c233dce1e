CREATE OR REPLACE FUNCTION q_seats(p_table bigint)
    RETURNS TABLE (seat smallint, player_id bigint, bot_level smallint, nickname text, avatar text,
                   client_seed bytea, stake_silver bigint, stake_gold bigint)
    LANGUAGE sql STABLE AS $$
    SELECT seat, player_id, bot_level, nickname, avatar, client_seed, stake_silver, stake_gold
    FROM seats WHERE table_id = p_table ORDER BY seat
$$;

COMMENT ON FUNCTION q_seats IS
'Everything about the seats of a table, in their order.
Called by db.';
