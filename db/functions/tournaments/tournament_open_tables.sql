CREATE OR REPLACE FUNCTION tournament_open_tables(p_tournament tournaments, p_node text, p_max integer)
    RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_row    tournament_tables;
    v_table  bigint;
    v_seed   bytea;
    v_opened bigint[] := '{}';
    v_deal   deals;
    v_wait   interval := make_interval(secs => setting_int('tournament_wait_ms') / 1000.0);
BEGIN
    SELECT d.* INTO v_deal FROM tournament_deals m JOIN deals d ON d.id = m.deal_id
    WHERE m.tournament_id = p_tournament.id AND m.round_no = p_tournament.round_no;
    FOR v_row IN SELECT k.* FROM (
                     SELECT *, row_number() OVER (PARTITION BY people_n = 0 ORDER BY table_no) AS nth
                     FROM tournament_tables
                     WHERE tournament_id = p_tournament.id AND round_no = p_tournament.round_no
                       AND over_at IS NULL AND table_id IS NULL) n
                 JOIN tournament_tables k USING (tournament_id, round_no, table_no)
                 WHERE n.people_n > 0 OR n.nth <= tournament_room(p_tournament)
                 ORDER BY n.people_n = 0, n.table_no LIMIT p_max LOOP
        v_seed := coalesce(deal_hand_seed(v_deal.seed, 1),
                           sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
                                  || uuid_send(gen_random_uuid())));
        INSERT INTO tables (tournament_id, variant, params, options, seats_n, people_n, bots_n, stake, reward,
                            multiplier_tenths, node, server_seed, commit, fill_at, visibility, bot_level,
                            deal_id, watch_delay_ms)
        SELECT p_tournament.id, p_tournament.variant, p_tournament.params, p_tournament.options,
               v_row.seats_n, count(e.player_id), count(*) - count(e.player_id), 0, 0, 0, place_node(p_node),
               v_seed, sha256(v_seed), now() + v_wait, 'house', p_tournament.bot_level,
               v_deal.id, CASE WHEN v_deal.id IS NULL THEN 0 END
        FROM tournament_seats s
        JOIN tournament_entries e ON e.tournament_id = s.tournament_id AND e.entry_no = s.entry_no
        WHERE s.tournament_id = v_row.tournament_id AND s.round_no = v_row.round_no
          AND s.table_no = v_row.table_no
        RETURNING id INTO v_table;
        INSERT INTO seats (table_id, seat, player_id, bot_level, nickname, avatar, client_seed)
        SELECT v_table, s.seat, e.player_id, e.bot_level, coalesce(p.nickname, e.bot_name),
               coalesce(p.avatar, ''), CASE WHEN s.seat = 0 THEN coalesce(v_deal.client_seed, '') ELSE '' END
        FROM tournament_seats s
        JOIN tournament_entries e ON e.tournament_id = s.tournament_id AND e.entry_no = s.entry_no
        LEFT JOIN players p ON p.id = e.player_id
        WHERE s.tournament_id = v_row.tournament_id AND s.round_no = v_row.round_no
          AND s.table_no = v_row.table_no
        ORDER BY s.seat;
        UPDATE tournament_tables SET table_id = v_table, tries = tries + 1
        WHERE tournament_id = v_row.tournament_id AND round_no = v_row.round_no AND table_no = v_row.table_no;
        INSERT INTO notifications (player_id, kind, data)
        SELECT s.player_id, 'tournament_table',
               jsonb_build_object('tournament_id', p_tournament.id::text, 'name', p_tournament.name,
                                  'round', p_tournament.round_no, 'table_id', v_table::text,
                                  'starts_at', rfc3339(date_trunc('second', now() + v_wait)))
        FROM seats s WHERE s.table_id = v_table AND s.player_id IS NOT NULL ORDER BY s.seat;
        v_opened := array_append(v_opened, v_table);
    END LOOP;
    RETURN v_opened;
END $$;

COMMENT ON FUNCTION tournament_open_tables IS
'Opens up to p_max tables that were drawn for this round, notifies their players, and returns them. Their
server seeds are drawn here and are not derived from anything that is ever published. In a duplicate, all
tables play the deal of the round, and no one may watch.
Key: the row of the table; the caller has locked the tournament.
Called by do_tournament_step.';
