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
    v_group   record;           -- players seated in one room
    v_order   bigint[] := '{}'; -- players seated, by room
    v_players bigint[] := '{}';
    v_tickets uuid[] := '{}';
    v_tables  bigint[] := '{}';
    v_kept    jsonb[];
BEGIN
    PERFORM lock_players(p_players);
    SELECT array_agg(a.answer ORDER BY u.n),
           array_agg(CASE WHEN p.id IS NULL THEN 'no_such_player'
                          WHEN a.answer IS NOT NULL THEN NULL
                          ELSE coalesce(room_refusal(p.row, r), 'ok') END ORDER BY u.n),
           count(DISTINCT u.player_id) < count(*)
    INTO v_answers, v_codes, v_twice
    FROM unnest(p_players, p_rooms, p_idem_keys, p_body_hashes)
         WITH ORDINALITY u (player_id, room_id, key, body_hash, n)
    LEFT JOIN LATERAL (SELECT x.id, x AS row FROM players x
                       WHERE x.id = u.player_id AND x.deleted_at IS NULL OFFSET 0) p ON true
    LEFT JOIN rooms r ON r.id = u.room_id
    CROSS JOIN LATERAL (SELECT idempotent_answer(p.id, u.key, 'take_seat', u.body_hash) AS answer OFFSET 0) a;
    IF v_twice THEN
        RAISE EXCEPTION 'a player asks for two seats at once';
    END IF;
    FOR v_group IN
        SELECT r AS room, u.ns, u.players, u.tickets, u.seeds, u.commits
        FROM (SELECT x.room_id, array_agg(x.n ORDER BY x.n) AS ns,
                     array_agg(x.player_id ORDER BY x.n) AS players,
                     array_agg(x.ticket ORDER BY x.n) AS tickets,
                     array_agg(x.seed ORDER BY x.n) AS seeds, array_agg(x.commit ORDER BY x.n) AS commits
              FROM unnest(p_players, p_rooms, p_tickets, p_server_seeds, p_commits, v_codes)
                   WITH ORDINALITY x (player_id, room_id, ticket, seed, commit, code, n)
              WHERE x.code = 'ok' GROUP BY x.room_id) u
        JOIN rooms r ON r.id = u.room_id
        ORDER BY r.id
    LOOP
        v_tables := v_tables || find_tables(v_group.room, v_group.players, p_node, v_group.seeds,
                                            v_group.commits);
        v_order := v_order || v_group.ns;
        v_players := v_players || v_group.players;
        v_tickets := v_tickets || v_group.tickets;
    END LOOP;
    IF v_order <> '{}' THEN
        v_kept := seat_answers(v_players, v_tables, seat_players(v_tables, v_players), v_tickets);
    END IF;
    RETURN QUERY
    SELECT t.*
    FROM (SELECT u.n, CASE WHEN u.answer IS NOT NULL THEN u.answer
                           WHEN u.code = 'no_such_player' THEN jsonb_build_object('code', u.code)
                           ELSE idempotent_keep(u.player_id, u.key, 'take_seat', u.body_hash,
                                                nullif(u.code, 'ok'), k.answer) END AS answer
          FROM unnest(p_players, p_idem_keys, p_body_hashes, v_codes, v_answers)
               WITH ORDINALITY u (player_id, key, body_hash, code, answer, n)
          LEFT JOIN unnest(v_order, v_kept) k (n, answer) ON k.n = u.n OFFSET 0) u
    CROSS JOIN LATERAL jsonb_populate_record(NULL::seat_taken, u.answer) t
    ORDER BY u.n;
END $$;

COMMENT ON FUNCTION do_seat_batch IS
'Seats in rooms, with stakes and tickets, for many simultaneous requests; do_take_seat handles a single one.
The arrays have one element per request, each of a different player. Returns one row per request, in the
same order, as if the players had been seated one after another. A refused request does not affect the
others.
Key of each request: that in p_idem_keys, of the player. repeated: this is the reply to an earlier call.
Refusals, each of one request: no_such_player, banned, no_such_room, room_closed, room_locked,
too_many_tables, no_funds, idempotency_key_reused. Raises, and seats no one, if a player occurs twice or a
player''s limits (limit_seat_guard) forbid it; the caller then retries with fewer requests.
Locks: the players first, then the rooms'' queues by their names; it never waits for a table. Everything else
locks the table before its players.
Called by api.';
