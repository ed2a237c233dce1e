CREATE OR REPLACE FUNCTION season_prizes(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_row  record;
    v_n    bigint := 0;
    v_gold bigint := 0;
    v_last bigint := (SELECT max(place) FROM league_prizes);
BEGIN
    PERFORM lock_players(ARRAY(SELECT r.player_id FROM season_results r
                               WHERE r.season_no = s.no AND r.place <= v_last));
    FOR v_row IN
        SELECT r.player_id, r.place, l.id, p.gold
        FROM season_results r JOIN leagues l ON l.position = r.position
        JOIN league_prizes p ON p.league_id = l.id AND p.place = r.place
        WHERE r.season_no = s.no AND r.place <= v_last AND r.reason NOT IN ('too_few_games', 'inactive')
          AND p.gold > 0 AND season_met_enough(s, r.player_id)
        ORDER BY r.player_id LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'league',
                          'league:' || s.no || ':' || v_row.id || ':' || v_row.place, '');
        UPDATE season_results SET prize_gold = v_row.gold
        WHERE season_no = s.no AND player_id = v_row.player_id;
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    UPDATE seasons SET step = 'finish' WHERE no = s.no;
    RETURN jsonb_build_object('prizes', v_n, 'gold', v_gold);
END $$;

COMMENT ON FUNCTION season_prizes IS
'One step of a season''s end: pays all of its prizes. Reads only the first places, which an index provides.
A player who met too few others (season_met_enough) gets none, and the prize is not paid to anyone else.
Key of each transfer: `league:<season>:<league>:<place>`.
Called by season_rollover_step.';
