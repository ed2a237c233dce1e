CREATE OR REPLACE FUNCTION do_start_batch(p_tables bigint[], p_epoch bigint, p_bot_nicknames text[],
                                          p_bot_levels integer[], p_client_seeds bytea[])
    RETURNS TABLE (table_id bigint, code text, practice boolean, seat smallint, player_id bigint,
                   bot_level smallint, nickname text, avatar text, client_seed bytea)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
    SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    v_codes text[];
    v_bots  boolean;
    v_solo  bigint[];
    v_day   date;
    v_practice bigint[] := '{}';
    v_counted  bigint[] := '{}';
BEGIN
    PERFORM 1 FROM tables WHERE id = ANY (p_tables) ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(c.code ORDER BY c.n), bool_or(c.code = 'ok' AND c.people_n < c.seats_n),
           array_agg(c.id) FILTER (WHERE c.code = 'ok' AND c.people_n = 1 AND NOT c.practice
                                         AND c.visibility <> 'house')
    INTO v_codes, v_bots, v_solo
    FROM (SELECT u.n, t.id, t.people_n, t.seats_n, t.practice, t.visibility,
                 CASE WHEN t.id IS NULL THEN 'no_such_table'
                      WHEN NOT node_has_epoch(t.node, p_epoch) THEN 'stale_epoch'
                      WHEN t.state = 'playing' THEN 'already_done'
                      WHEN t.state <> 'waiting' THEN 'table_over'
                      WHEN t.people_n = 0 AND t.visibility <> 'house' THEN 'table_empty'
                      WHEN t.people_n + t.bots_n < t.seats_n AND t.visibility <> 'private'
                           AND NOT coalesce((SELECT bots FROM rooms WHERE id = t.room_id), false)
                      THEN 'seats_free'
                      WHEN t.people_n < t.seats_n
                           AND p_bot_nicknames[6 * u.n - 6 + t.seats_n - t.people_n] <> '' IS NOT TRUE
                      THEN 'too_few_bots'
                      ELSE 'ok' END AS code
          FROM unnest(p_tables) WITH ORDINALITY u (id, n) LEFT JOIN tables t ON t.id = u.id) c;
    IF v_bots THEN
        INSERT INTO seats (table_id, seat, bot_level, nickname)
        SELECT f.id, f.seat, f.level, p_bot_nicknames[6 * f.n - 6 + f.nth]
        FROM (SELECT u.n, u.id, u.level, g.seat, row_number() OVER (PARTITION BY u.n ORDER BY g.seat) AS nth
              FROM unnest(p_tables, v_codes, p_bot_levels) WITH ORDINALITY u (id, code, level, n)
              JOIN tables t ON t.id = u.id
              CROSS JOIN LATERAL generate_series(0, t.seats_n - 1) g (seat)
              LEFT JOIN seats s ON s.table_id = u.id AND s.seat = g.seat
              WHERE u.code = 'ok' AND s.seat IS NULL) f
        ORDER BY f.n, f.seat;
    END IF;
    IF v_solo IS NOT NULL THEN
        SELECT * INTO v_practice, v_counted, v_day FROM start_solos(v_solo);
    END IF;
    IF 'ok' = ANY (v_codes) THEN
        UPDATE seats s SET client_seed = p_client_seeds[6 * u.n - 5 + s.seat]
        FROM unnest(p_tables, v_codes) WITH ORDINALITY u (id, code, n)
        WHERE u.code = 'ok' AND s.table_id = u.id AND s.player_id IS NOT NULL
          AND s.client_seed <> p_client_seeds[6 * u.n - 5 + s.seat];
        INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
        SELECT t.id, t.hand_no, t.server_seed, t.commit,
               pack_seeds(ARRAY(SELECT s.client_seed FROM seats s WHERE s.table_id = t.id ORDER BY s.seat)),
               now()
        FROM unnest(p_tables, v_codes) u (id, code) JOIN tables t ON t.id = u.id
        WHERE u.code = 'ok';
        UPDATE tables t SET state = 'playing', started_at = now(),
                            bots_n = CASE WHEN t.visibility = 'private' THEN t.seats_n - t.people_n
                                          ELSE t.bots_n END,
                            practice = t.practice OR t.id = ANY (v_practice),
                            solo_day = CASE WHEN t.id = ANY (v_counted) THEN v_day ELSE t.solo_day END
        FROM unnest(p_tables, v_codes) u (id, code)
        WHERE u.code = 'ok' AND t.id = u.id;
    END IF;
    RETURN QUERY
    SELECT u.id, u.code, t.practice, s.seat, s.player_id, s.bot_level, s.nickname, s.avatar, s.client_seed
    FROM unnest(p_tables, v_codes) WITH ORDINALITY u (id, code, n)
    LEFT JOIN tables t ON t.id = u.id AND u.code IN ('ok', 'already_done')
    LEFT JOIN seats s ON s.table_id = t.id
    ORDER BY u.n, s.seat;
END $$;

COMMENT ON FUNCTION do_start_batch IS
'Starts tables: fills their free seats with bots (names in the order given) and deals the first hand. The
arrays have one element per table, those of names and seeds six: as many names as needed, and seeds by seat,
empty if none was sent. Returns one row per seat; a refused table has one row with only its code, and the
others start. practice: no chips and no points. At a private table bots take any free seat, because its host
requested them, and the table keeps them for its rematch. A house table may have only bots, and is not a
solo game of any player.
Key: the table; already_done comes with its seats.
Refusals: already_done, no_such_table, stale_epoch, table_over, table_empty, seats_free (a public table, or
a room without bots), too_few_bots (names).
Called by db.';
