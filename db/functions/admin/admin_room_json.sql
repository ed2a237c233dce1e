CREATE OR REPLACE FUNCTION admin_room_json(r rooms) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats_n', r.seats_n,
                              'stake', r.stake, 'reward', r.reward,
                              'multiplier_tenths', r.multiplier_tenths, 'title', r.title, 'bots', r.bots,
                              'fill_wait_ms', r.fill_wait_ms, 'open', r.open,
                              'bot_accounts', r.bot_accounts)
$$;

COMMENT ON FUNCTION admin_room_json IS
'A room as an operator sees it.
Called by do_admin_data, do_admin_open_room, do_admin_room.';
