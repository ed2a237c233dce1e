CREATE OR REPLACE FUNCTION do_seat_batch(p_players bigint[], p_rooms text[], p_idem_keys text[],
                                         p_body_hashes bytea[], p_tickets uuid[], p_server_seeds bytea[],
                                         p_commits bytea[], p_node text)
    RETURNS SETOF seat_taken
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_answers jsonb[];
    v_codes   text[];
    v_twice   boolean;
    v_room    rooms;
    v_ns      bigint[];
    v_order   bigint[] := '{}'; -- players seated, by room
    v_tables  bigint[] := '{}';
    v_players bigint[];
    v_kept    jsonb[];
BEGIN
    PERFORM lock_players(p_players);
    SELECT array_agg(a.answer ORDER BY u.n),
           array_agg(CASE WHEN p.id IS NULL THEN 'no_such_player'
                          WHEN a.answer IS NOT NULL THEN NULL
                          WHEN p.banned_at IS NOT NULL THEN 'banned'
                          WHEN r.id IS NULL THEN 'no_such_room'
                          WHEN NOT r.open THEN 'room_closed'
                          ELSE coalesce(seat_refusal(p.id, r), 'ok') END ORDER BY u.n),
           count(DISTINCT u.player_id) < count(*)
    INTO v_answers, v_codes, v_twice
    FROM unnest(p_players, p_rooms, p_idem_keys, p_body_hashes)
         WITH ORDINALITY u (player_id, room_id, key, body_hash, n)
    LEFT JOIN LATERAL (SELECT x.id, x.banned_at FROM players x
                       WHERE x.id = u.player_id AND x.deleted_at IS NULL OFFSET 0) p ON true
    LEFT JOIN rooms r ON r.id = u.room_id
    CROSS JOIN LATERAL (SELECT idempotent_answer(p.id, u.key, 'take_seat', u.body_hash) AS answer OFFSET 0) a;
    IF v_twice THEN
        RAISE EXCEPTION 'a player asks for two seats at once';
    END IF;
    FOR v_room IN
        SELECT r.* FROM rooms r
        WHERE r.id IN (SELECT u.room_id FROM unnest(p_rooms, v_codes) u (room_id, code) WHERE u.code = 'ok')
        ORDER BY r.id
    LOOP
        v_ns := ARRAY(SELECT u.n FROM unnest(p_rooms, v_codes) WITH ORDINALITY u (room_id, code, n)
                      WHERE u.code = 'ok' AND u.room_id = v_room.id ORDER BY u.n);
        v_tables := v_tables || find_tables(v_room, ARRAY(SELECT p_players[n] FROM unnest(v_ns) n), p_node,
                                            ARRAY(SELECT p_server_seeds[n] FROM unnest(v_ns) n),
                                            ARRAY(SELECT p_commits[n] FROM unnest(v_ns) n));
        v_order := v_order || v_ns;
    END LOOP;
    IF v_order <> '{}' THEN
        v_players := ARRAY(SELECT p_players[n] FROM unnest(v_order) n);
        v_kept := seat_answers(v_players, v_tables, seat_players(v_tables, v_players),
                               ARRAY(SELECT p_tickets[n] FROM unnest(v_order) n));
    END IF;
    SELECT array_agg(CASE WHEN u.answer IS NOT NULL THEN u.answer
                          WHEN u.code = 'no_such_player' THEN jsonb_build_object('code', u.code)
                          ELSE idempotent_keep(u.player_id, u.key, 'take_seat', u.body_hash,
                                               nullif(u.code, 'ok'), k.answer) END ORDER BY u.n)
    INTO v_answers
    FROM unnest(p_players, p_idem_keys, p_body_hashes, v_codes, v_answers)
         WITH ORDINALITY u (player_id, key, body_hash, code, answer, n)
    LEFT JOIN unnest(v_order, v_kept) k (n, answer) ON k.n = u.n;
    RETURN QUERY
    SELECT t.* FROM unnest(v_answers) WITH ORDINALITY u (answer, n)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::seat_taken, u.answer) t ORDER BY u.n;
END $$;

COMMENT ON FUNCTION do_seat_batch IS
'Seats in rooms, with stakes and tickets, for many simultaneous requests: do_take_seat for many. The arrays
have one element per request, each of a different player. Returns one row per request, in the same order, as
if the players had been seated one after another. A refused request does not affect the others.
Key of each request: that in p_idem_keys, of the player. repeated: this is the reply to an earlier call.
Refusals, each of one request: no_such_player, banned, no_such_room, room_closed, room_locked,
too_many_tables, no_funds, idempotency_key_reused. Raises, and seats no one, if a player occurs twice or one
of their limits (limit_seat_guard) forbids it; the caller then retries with fewer.
Locks: the players first, then the rooms'' queues by their names; it never waits for a table. Everything else
locks the table before its players.
Called by api.';
