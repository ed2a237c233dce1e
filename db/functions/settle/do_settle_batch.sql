CREATE OR REPLACE FUNCTION do_settle_batch(p_tables bigint[], p_epoch bigint, p_endings text[],
                                           p_results jsonb[], p_records text[])
    RETURNS TABLE (table_id bigint, code text, game_id bigint, seat smallint, player_id bigint,
                   place smallint, points integer, game_points integer, clover bigint, silver bigint,
                   gold bigint, silver_lost bigint, level_gold bigint, level integer, levels_gained integer,
                   title text, rating integer, rated boolean, practice boolean, took_part boolean,
                   same_people boolean, turns smallint, own_turns smallint)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
    SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_codes text[];
    v_same  bigint[];
    v_seats settled_seat[];
    v_chips settled_chips[];
    v_new   record;
BEGIN
    PERFORM do_lock_tables(p_tables);
    v_codes := settle_codes(p_tables, p_epoch);
    IF 'ok' = ANY (v_codes) THEN
        PERFORM settle_end_hands(p_tables, v_codes, p_endings, p_results, p_records);
        v_same := settle_meetings(p_tables, v_codes);
        PERFORM settle_store_games(p_tables, v_codes, p_endings, p_results, v_same);
        -- Levels first, so that the reward is limited by the cap of the level that this game has reached.
        v_seats := settle_seats(p_tables, v_codes, p_results, v_same);
        v_chips := settle_chips(v_seats);
        PERFORM settle_points(v_seats, now());
        PERFORM settle_store_players(v_seats, v_chips);
        v_new := count_games(v_seats);
        PERFORM settle_post(v_seats, v_chips, v_new.earned, v_new.done);
        PERFORM settle_deals(p_tables, v_seats);
        PERFORM settle_tournaments(v_seats);
        PERFORM settle_close(p_tables, v_codes);
    END IF;
    RETURN QUERY
    SELECT u.table_id, u.code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover,
           p.silver, p.gold, p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating,
           g.rated AND p.took_part AND NOT p.same_people, g.practice, p.took_part, p.same_people, p.turns,
           p.own_turns
    FROM unnest(p_tables, v_codes) WITH ORDINALITY u (table_id, code, n)
    LEFT JOIN games g ON g.table_id = u.table_id AND u.code IN ('ok', 'already_done')
    LEFT JOIN game_players p ON p.game_id = g.id
    ORDER BY u.n, p.seat;
END $$;

COMMENT ON FUNCTION do_settle_batch IS
'Ends played tables: stores games and records, settles points, levels, ratings, and chips, and removes the
journals, all in the caller''s transaction, and each table only once. The arrays have one element per table;
a player may sit at no more than one of them. Returns one row per seat; a refused table has one row with
only its code, and the others are settled. p_endings: out, no_cards, stalled, or last. p_results: for each
table, [{"seat", "place", "points", "total", "opened", "cards_left", "won", "rummy", "left", "turns",
"own_turns", "facts"}, ...]; there may be several winners. p_records: the record of the last hand, or, if no
hand is running, what is appended to it; empty: nothing is written. An announced hand that was not dealt is
dropped.
Key: the table; already_done comes with the stored result.
Refusals: already_done, no_such_table, stale_epoch, not_playing. Raises if the results do not match their
table, or a player sits at two of the tables; then nothing is settled.
Called by db.';
