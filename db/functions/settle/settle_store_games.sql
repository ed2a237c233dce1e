CREATE OR REPLACE FUNCTION settle_store_games(p_tables bigint[], p_codes text[], p_endings text[])
    RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths,
                       people_n, rated, bots_rated, practice, ending, moves_n, server_seed, commit,
                       started_at)
    SELECT t.id, h.hand_no, t.room_id, t.variant, t.params, t.stake, t.reward, t.multiplier_tenths,
           t.people_n,
           t.people_n >= (SELECT setting_int('rated_people_min')) AND t.visibility <> 'private'
               AND NOT t.bot_accounts AND t.deal_id IS NULL,
           CASE WHEN t.bot_accounts THEN bots_rated_at(t) ELSE false END,
           t.practice, u.ending, (SELECT count(*) FROM journal j WHERE j.table_id = t.id), h.server_seed,
           h.commit, t.started_at
    FROM unnest(p_tables, p_codes, p_endings) WITH ORDINALITY u (id, code, ending, n)
    JOIN tables t ON t.id = u.id AND t.id = ANY (p_tables)
    CROSS JOIN LATERAL (SELECT l.hand_no, l.server_seed, l.commit FROM hands l WHERE l.table_id = u.id
                        ORDER BY l.hand_no DESC LIMIT 1) h
    WHERE u.code = 'ok'
    ORDER BY u.n;
END $$;

COMMENT ON FUNCTION settle_store_games IS
'Stores the games of tables with code ok.
Called by do_settle_batch.';
