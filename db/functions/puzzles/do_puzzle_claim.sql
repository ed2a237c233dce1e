CREATE OR REPLACE FUNCTION do_puzzle_claim(p_holder bigint) RETURNS TABLE (code text, game_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_at   bigint;
    v_game bigint;
    v_next bigint;
BEGIN
    INSERT INTO puzzle_mining DEFAULT VALUES ON CONFLICT DO NOTHING;
    UPDATE puzzle_mining m
    SET holder = p_holder, held_until = clock_timestamp() + interval '15 minutes'
    WHERE m.holder = p_holder OR m.held_until IS NULL OR m.held_until < clock_timestamp()
    RETURNING m.game_id INTO v_at;
    IF v_at IS NULL THEN
        RETURN QUERY SELECT 'mining_held', NULL::bigint;
        RETURN;
    END IF;
    v_game := (SELECT d.game_id FROM puzzle_games_due d JOIN games g ON g.id = d.game_id
               JOIN tables t ON t.id = g.table_id WHERE deal_is_open(t.deal_id) ORDER BY d.game_id LIMIT 1);
    -- Numbers are assigned a little before games become visible, so games of the last minute wait.
    WHILE v_game IS NULL LOOP
        SELECT max(n.id), (min(n.id) FILTER (WHERE n.may AND n.open)) INTO v_next, v_game
        FROM (SELECT g.id, t.visibility <> 'private' AND t.club_id IS NULL AS may,
                     deal_is_open(t.deal_id) AS open
              FROM games g JOIN tables t ON t.id = g.table_id
              WHERE g.id > v_at AND g.ended_at < now() - interval '1 minute' ORDER BY g.id LIMIT 100) n;
        EXIT WHEN v_next IS NULL;
        v_next := coalesce(v_game - 1, v_next);
        INSERT INTO puzzle_games_due (game_id)
        SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id
        WHERE g.id > v_at AND g.id <= v_next AND t.visibility <> 'private' AND t.club_id IS NULL
          AND NOT deal_is_open(t.deal_id)
        ORDER BY g.id ON CONFLICT DO NOTHING;
        UPDATE puzzle_mining m SET game_id = greatest(m.game_id, v_next);
        v_at := v_next;
    END LOOP;
    RETURN QUERY SELECT CASE WHEN v_game IS NULL THEN 'none' ELSE 'ok' END, v_game;
END $$;

COMMENT ON FUNCTION do_puzzle_claim IS
'The next finished game to search for puzzles. Only one job searches at a time; each call renews its lease
of 15 minutes. Games of private tables and of clubs are skipped. Games whose deal others may still play are
postponed until the deal is open. code none: all games have been searched.
Key: the holder; repeated calls return the same game until do_puzzle_mined.
Refusals: mining_held.
Called by server.';
