CREATE OR REPLACE FUNCTION open_rematch(p_table tables, p_room rooms, p_node text, p_server_seed bytea,
                                        p_commit bytea)
    RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_new tables := p_table;
BEGIN
    INSERT INTO tables (room_id, variant, params, options, seats_n, stake, reward, multiplier_tenths,
                        practice, node,
                        server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept, bot_level,
                        code, watch_delay_ms, rematch_of, point_value, bot_accounts,
                        turn_hours, club_id)
    VALUES (p_table.room_id, p_table.variant, p_table.params, p_table.options, p_table.seats_n,
            coalesce(p_room.stake, p_table.stake), coalesce(p_room.reward, p_table.reward),
            coalesce(p_room.multiplier_tenths, p_table.multiplier_tenths),
            p_table.visibility = 'private' OR coalesce(p_room.bot_accounts, p_table.bot_accounts),
            place_node(p_node), p_server_seed, p_commit,
            now() + make_interval(secs => setting_int(CASE WHEN p_table.turn_hours IS NULL
                THEN 'rematch_wait_ms' ELSE 'slow_table_wait_ms' END) / 1000.0),
            p_table.visibility, p_table.creator_id, p_table.bots_n, p_table.bots_n, p_table.bot_level,
            p_table.code, p_table.watch_delay_ms, p_table.id, p_table.point_value,
            coalesce(p_room.bot_accounts, p_table.bot_accounts), p_table.turn_hours, p_table.club_id)
    RETURNING * INTO v_new;
    RETURN v_new;
END $$;

COMMENT ON FUNCTION open_rematch IS
'Opens the rematch of a table that has ended: of the same kind and club, with its room''s current stakes, and
with bot accounts if the room admits them now.
Called by do_rematch.';
