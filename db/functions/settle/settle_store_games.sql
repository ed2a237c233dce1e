CREATE OR REPLACE FUNCTION settle_store_games(p_tables bigint[], p_codes text[], p_endings text[],
                                              p_results jsonb[], p_same bigint[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_percent bigint := setting_int('took_part_percent');
BEGIN
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths,
                       people_n, rated, bots_rated, practice, ending, moves_n, server_seed, commit,
                       started_at)
    SELECT t.id, h.hand_no, t.room_id, t.variant, t.params, t.stake, t.reward, t.multiplier_tenths,
           t.people_n,
           t.people_n >= (SELECT setting_int('rated_players_min')) AND t.visibility <> 'private'
               AND NOT t.bot_accounts AND t.deal_id IS NULL AND p.played,
           CASE WHEN t.bot_accounts THEN bots_rated_at(t) AND p.played ELSE false END,
           t.practice, u.ending, (SELECT count(*) FROM journal j WHERE j.table_id = t.id), h.server_seed,
           h.commit, t.started_at
    FROM unnest(p_tables, p_codes, p_endings, p_results) WITH ORDINALITY u (id, code, ending, results, n)
    JOIN tables t ON t.id = u.id AND t.id = ANY (p_tables)
    CROSS JOIN LATERAL (SELECT l.hand_no, l.server_seed, l.commit FROM hands l WHERE l.table_id = u.id
                        ORDER BY l.hand_no DESC LIMIT 1) h
    CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM jsonb_to_recordset(u.results) r (seat smallint, "left" boolean, turns integer,
                                                     own_turns integer)
        JOIN seats s ON s.table_id = u.id AND s.seat = r.seat
        WHERE s.player_id IS NOT NULL AND s.player_id <> ALL (p_same)
          AND took_part(r."left", r.turns, r.own_turns, v_percent)) AS played OFFSET 0) p
    WHERE u.code = 'ok'
    ORDER BY u.n;
END $$;

COMMENT ON FUNCTION settle_store_games IS
'Stores the games of tables with code ok. p_same: players who met the others too often today
(settle_meetings). A game is rated only if another player took part.
Called by do_settle_batch.';
