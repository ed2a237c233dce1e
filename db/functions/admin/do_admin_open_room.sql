CREATE OR REPLACE FUNCTION do_admin_open_room(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_id text,
                                              p_name text, p_variant text, p_params text, p_seats bigint,
                                              p_stake bigint, p_reward bigint, p_tenths bigint,
                                              p_title text, p_open boolean, p_bots boolean,
                                              p_bot_level bigint, p_fill_wait_ms bigint,
                                              p_watch_delay_ms bigint, p_bot_accounts boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'open_room', jsonb_build_object(
        'room', p_id, 'name', p_name, 'variant', p_variant, 'params', p_params, 'seats', p_seats,
        'stake', p_stake, 'reward', p_reward, 'title', p_title, 'open', p_open,
        'bot_accounts', p_bot_accounts), p_idem_key, p_body_hash);
    v_from integer := (SELECT level_from FROM titles WHERE name = p_title);
    v_code text;
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        LOCK TABLE rooms IN SHARE ROW EXCLUSIVE MODE;
        v_code := CASE WHEN EXISTS (SELECT 1 FROM rooms WHERE id = p_id) THEN 'room_exists'
                       WHEN (SELECT count(*) FROM rooms) >= setting_int('rooms_max') THEN 'too_many_rooms'
                       WHEN v_from IS NULL THEN 'no_such_title'
                       WHEN p_bot_accounts AND p_stake + p_reward > 0 THEN 'stake_bots'
                       WHEN p_variant = 'rummy51' AND v_from < (
                           SELECT max(t.level_from) FROM rooms r JOIN titles t ON t.name = r.title
                           WHERE r.variant = 'rummy51') THEN 'room_out_of_order'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO rooms AS r (id, position, name, variant, params, seats_n, stake, reward,
                                    multiplier_tenths, title, bots, bot_level, fill_wait_ms, open,
                                    watch_delay_ms, bot_accounts)
            VALUES (p_id, (SELECT max(position) + 1 FROM rooms), p_name, p_variant, p_params, p_seats,
                    p_stake, p_reward, p_tenths, p_title, p_bots, p_bot_level, p_fill_wait_ms, p_open,
                    p_watch_delay_ms, p_bot_accounts)
            RETURNING admin_room_json(r) INTO v_body;
        END IF;
        v_call.answer := admin_end(v_call, v_code, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_open_room IS
'Opens a room, which comes after the existing ones. p_params: the engine''s form of the options. Games in a
room of Rummy 51 count for the leagues of the rooms before it, so it must not unlock before they do.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, room_exists, too_many_rooms, no_such_title, stake_bots (a room that admits bot
accounts cannot have stakes), room_out_of_order.
Locks: the table of rooms, against another such call.
Called by api.';
