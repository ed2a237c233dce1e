CREATE OR REPLACE FUNCTION do_admin_room(p_key_hash bytea, p_room text, p_name text, p_stake bigint,
                                         p_reward bigint, p_multiplier_tenths bigint, p_title text,
                                         p_open boolean, p_bots boolean, p_fill_wait_ms bigint,
                                         p_bot_accounts boolean)
    RETURNS TABLE (code text, body text, cancels bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_room', jsonb_strip_nulls(jsonb_build_object(
        'room', p_room, 'name', p_name, 'stake', p_stake, 'reward', p_reward,
        'multiplier_tenths', p_multiplier_tenths, 'title', p_title,
        'open', p_open, 'bots', p_bots, 'fill_wait_ms', p_fill_wait_ms,
        'bot_accounts', p_bot_accounts)), NULL, NULL);
    v_code text;
    v_room rooms;
    v_old  bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN NOT EXISTS (SELECT 1 FROM rooms WHERE id = p_room) THEN 'no_such_room'
                       WHEN p_title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM titles WHERE name = p_title)
                          THEN 'no_such_title'
                       WHEN EXISTS (SELECT 1 FROM rooms WHERE id = p_room
                                    AND coalesce(p_bot_accounts, bot_accounts)
                                    AND coalesce(p_stake, stake) + coalesce(p_reward, reward) > 0)
                          THEN 'stake_bots'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE rooms r SET name = coalesce(p_name, name), stake = coalesce(p_stake, stake),
            reward = coalesce(p_reward, reward),
                   multiplier_tenths = coalesce(p_multiplier_tenths, multiplier_tenths),
                   title = coalesce(p_title, title),
                   open = coalesce(p_open, open), bots = coalesce(p_bots, bots),
                   fill_wait_ms = coalesce(p_fill_wait_ms, fill_wait_ms),
                   bot_accounts = coalesce(p_bot_accounts, bot_accounts)
            WHERE id = p_room RETURNING * INTO v_room;
            v_old := ARRAY(SELECT id FROM tables WHERE room_id = p_room AND state = 'waiting'
                             AND (NOT v_room.open OR (stake, reward, multiplier_tenths, bot_accounts)
                                  <> (v_room.stake, v_room.reward, v_room.multiplier_tenths,
                                      v_room.bot_accounts))
                           ORDER BY id FOR NO KEY UPDATE);
            cancels := cancel_waiting(v_old);
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_room_json(v_room) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, cancels;
END $$;

COMMENT ON FUNCTION do_admin_room IS
'Changes the given fields of a room; NULL leaves one unchanged. Running tables keep the values they were
opened with. Waiting ones end with refunds if the room closes, or if its stake, reward, multiplier, or bot
policy no longer matches theirs; cancels: one of those tables, whose nodes must be notified.
Refusals: those of admin_begin, no_such_room, no_such_title, stake_bots (a room that admits bot accounts
cannot have stakes).
Locks: the tables that end.
Called by api.';
