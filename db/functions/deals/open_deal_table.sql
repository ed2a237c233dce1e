CREATE OR REPLACE FUNCTION open_deal_table(p_player bigint, p_deal deals, p_node text) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_seed  bytea := deal_hand_seed(p_deal.seed, 1);
    v_table tables;
BEGIN
    INSERT INTO tables (variant, params, options, seats_n, stake, reward, multiplier_tenths, practice, node,
                        server_seed, commit, fill_at, visibility, bots_n, bots_kept, bot_level,
                        watch_delay_ms, deal_id)
    VALUES (p_deal.variant, p_deal.params, p_deal.options, p_deal.seats_n, 0, 0, 0, true, place_node(p_node),
            v_seed, sha256(v_seed), now() + make_interval(secs => setting_int('daily_wait_s')), 'house',
            p_deal.seats_n - 1, p_deal.seats_n - 1, p_deal.bot_level, NULL, p_deal.id)
    RETURNING * INTO v_table;
    PERFORM seat_player(p_player, v_table);
    UPDATE seats SET client_seed = p_deal.client_seed WHERE table_id = v_table.id AND seat = 0;
    RETURN v_table;
END $$;

COMMENT ON FUNCTION open_deal_table IS
'Opens a table of a shared deal: the player in seat 0, bots in the others. It starts when the player
connects, or after a while without them.
Called by do_daily_play.';
