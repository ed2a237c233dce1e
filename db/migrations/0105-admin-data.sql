-- What an operator changes without a build: rooms, packs, achievements; and tables he ends.

CREATE FUNCTION admin_room_json(r rooms) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats_n', r.seats_n, 'stake', r.stake, 'reward', r.reward,
                              'multiplier_tenths', r.multiplier_tenths, 'title', r.title, 'bots', r.bots,
                              'fill_wait_ms', r.fill_wait_ms, 'open', r.open)
$$;
CREATE FUNCTION admin_pack_json(k shop_packs) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', k.id, 'name', k.name, 'gold', k.gold, 'amount', k.price_minor, 'currency', k.currency,
                              'on_sale', k.on_sale)
$$;
CREATE FUNCTION admin_achievement_json(a achievements) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', a.id, 'gold', a.gold, 'counter', a.counter, 'goal', a.goal, 'about', a.about)
$$;

-- p_kind: rooms, packs, achievements. code: as admin_begin.
CREATE FUNCTION do_admin_data(p_key_hash bytea, p_kind text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:' || p_kind, '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', CASE WHEN v_call.answer->>'code' = 'ok' THEN jsonb_build_object('items', CASE p_kind
        WHEN 'rooms' THEN (SELECT jsonb_agg(admin_room_json(r) ORDER BY r.position) FROM rooms r)
        WHEN 'packs' THEN (SELECT jsonb_agg(admin_pack_json(k) ORDER BY k.position) FROM shop_packs k)
        ELSE (SELECT jsonb_agg(admin_achievement_json(a) ORDER BY a.position) FROM achievements a) END)::text END;
END $$;

-- Changes what is given; NULL leaves as it is. Tables that are open keep what they were opened with. code: ok, those of admin_begin,
-- no_such_room, no_such_title.
CREATE FUNCTION do_admin_room(p_key_hash bytea, p_room text, p_name text, p_stake bigint, p_reward bigint, p_multiplier_tenths bigint,
                              p_title text, p_open boolean, p_bots boolean, p_fill_wait_ms bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_room', jsonb_strip_nulls(jsonb_build_object(
        'room', p_room, 'name', p_name, 'stake', p_stake, 'reward', p_reward, 'multiplier_tenths', p_multiplier_tenths, 'title', p_title,
        'open', p_open, 'bots', p_bots, 'fill_wait_ms', p_fill_wait_ms)), NULL, NULL);
    v_code text;
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN NOT EXISTS (SELECT 1 FROM rooms WHERE id = p_room) THEN 'no_such_room'
                       WHEN p_title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM titles WHERE name = p_title) THEN 'no_such_title'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE rooms r SET name = coalesce(p_name, name), stake = coalesce(p_stake, stake), reward = coalesce(p_reward, reward),
                   multiplier_tenths = coalesce(p_multiplier_tenths, multiplier_tenths), title = coalesce(p_title, title),
                   open = coalesce(p_open, open), bots = coalesce(p_bots, bots), fill_wait_ms = coalesce(p_fill_wait_ms, fill_wait_ms)
            WHERE id = p_room RETURNING admin_room_json(r) INTO v_body;
        END IF;
        v_call.answer := admin_end(v_call, v_code, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- Orders keep the price they were made at. code: ok, those of admin_begin, no_such_pack.
CREATE FUNCTION do_admin_pack(p_key_hash bytea, p_pack text, p_name text, p_gold bigint, p_amount bigint, p_currency text, p_on_sale boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_pack', jsonb_strip_nulls(jsonb_build_object(
        'pack', p_pack, 'name', p_name, 'gold', p_gold, 'amount', p_amount, 'currency', p_currency, 'on_sale', p_on_sale)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_packs k SET name = coalesce(p_name, name), gold = coalesce(p_gold, gold), price_minor = coalesce(p_amount, price_minor),
               currency = coalesce(p_currency, currency), on_sale = coalesce(p_on_sale, on_sale)
        WHERE id = p_pack RETURNING admin_pack_json(k) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_pack' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- Who has it keeps it, and the gold he got. code: ok, those of admin_begin, no_such_achievement.
CREATE FUNCTION do_admin_achievement(p_key_hash bytea, p_achievement text, p_gold bigint, p_goal bigint, p_about text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_achievement', jsonb_strip_nulls(jsonb_build_object(
        'achievement', p_achievement, 'gold', p_gold, 'goal', p_goal, 'about', p_about)), NULL, NULL);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE achievements a SET gold = coalesce(p_gold, gold), goal = coalesce(p_goal, goal), about = coalesce(p_about, about)
        WHERE id = p_achievement RETURNING admin_achievement_json(a) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_achievement' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- --- tables ----------------------------------------------------------------------------------------------

CREATE FUNCTION admin_table_json(p_table bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', t.id::text, 'state', t.state, 'variant', t.variant, 'room', t.room_id, 'node', t.node, 'stake', t.stake,
        'created_at', rfc3339(t.created_at), 'started_at', rfc3339(t.started_at), 'ended_at', rfc3339(t.ended_at),
        'seats', coalesce((SELECT jsonb_agg(jsonb_build_object('seat', s.seat, 'player_id', s.player_id::text, 'nickname', s.nickname,
                               'held_silver', coalesce((SELECT balance FROM accounts WHERE id = account_hold(t.id, s.player_id, 'silver')), 0),
                               'held_gold', coalesce((SELECT balance FROM accounts WHERE id = account_hold(t.id, s.player_id, 'gold')), 0))
                           ORDER BY s.seat) FROM seats s WHERE s.table_id = t.id), '[]'))
    FROM tables t WHERE t.id = p_table
$$;

-- code: ok, those of admin_begin, no_such_table.
CREATE FUNCTION do_admin_table(p_key_hash bytea, p_table bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:table', jsonb_build_object('table', p_table), NULL, NULL);
    v_body jsonb := admin_table_json(p_table);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_table' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- Ends a table; every stake comes back as it was held. Its node does it, for it holds the game; to_tell: that node is p_node. A table whose
-- node is gone is cancelled here, as by the job stale_tables. code: ok, those of admin_begin, no_such_table, table_over, table_elsewhere.
CREATE FUNCTION do_admin_cancel(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_table bigint, p_reason text, p_node text)
    RETURNS TABLE (code text, body text, to_tell boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'cancel_table', jsonb_build_object('table', p_table, 'reason', p_reason),
                                      p_idem_key, p_body_hash);
    v_table tables;
    v_epoch bigint;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables t WHERE t.id = p_table;
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table' WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.node = p_node THEN 'ok'
                       WHEN NOT pg_try_advisory_xact_lock(hashtextextended('rummyd node ' || v_table.node, 0)) THEN 'table_elsewhere' END;
        IF v_code IS NULL THEN
            UPDATE nodes SET epoch = epoch + 1 WHERE name = v_table.node RETURNING epoch INTO v_epoch;
            SELECT c.code INTO v_code FROM do_cancel_table(p_table, v_epoch, 'by_operator') c;
        END IF;
        v_call.answer := admin_end(v_call, v_code, NULL);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', admin_table_json(p_table)::text,
                        v_call.answer->>'code' = 'ok' AND v_table.node = p_node AND v_table.state IN ('waiting', 'playing');
END $$;

-- The proof of the books is made elsewhere; here is who may ask for it. code: as admin_begin.
CREATE FUNCTION do_admin_proof(p_key_hash bytea) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:ledger_proof', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code';
END $$;
