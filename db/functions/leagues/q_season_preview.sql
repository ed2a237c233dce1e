CREATE OR REPLACE FUNCTION q_season_preview(p_key_hash bytea, p_position bigint, p_score bigint,
                                            p_player bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code   text;
    v_no     integer;
    v_ends   timestamptz;
    v_left   bigint := p_limit;
    v_league leagues;
    v_cuts   league_cuts;
    v_place  bigint;
    v_score  bigint := p_score;
    v_player bigint := coalesce(p_player, 0);
    v_n      bigint;
    d        record;
    v_piece  bigint := setting_int('job_batch');
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'read:season_preview', '{}', 'ok') e;
    SELECT no, ends_at INTO v_no, v_ends FROM seasons WHERE state IN ('opening', 'open');
    IF v_code = 'ok' AND v_no IS NULL THEN
        v_code := 'season_closing';
    END IF;
    RETURN QUERY SELECT v_code, jsonb_build_object('season', v_no, 'ends_at', rfc3339(v_ends))::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code <> 'ok' THEN
        RETURN;
    END IF;
    FOR v_league IN SELECT * FROM leagues
                    WHERE position >= coalesce(p_position, 1) AND coalesce(p_position, 1) > 0
                    ORDER BY position LOOP
        v_cuts := league_cuts(v_no, v_league.position, league_ranked_n(v_no, v_league.position), true);
        v_place := CASE WHEN v_score IS NULL THEN 0
                        ELSE board_place(league_board(v_no, v_league.position), v_score, v_player) END;
        LOOP
            v_n := 0;
            FOR d IN SELECT * FROM league_decisions(v_no, v_league.position, v_cuts, v_place, v_score,
                                                    v_player, v_piece) LOOP
                v_n := v_n + 1;
                v_score := d.score;
                v_player := d.player_id;
                v_place := d.place;
                CONTINUE WHEN d.reason = 'stays';
                v_left := v_left - 1;
                RETURN QUERY SELECT 'ok', jsonb_build_object(
                    'player_id', d.player_id::text, 'league', v_league.id, 'place', d.place, 'games', d.games,
                    'rating', d.rating,
                    'to_league', (SELECT l.id FROM leagues l WHERE l.position = d.to_position),
                    'reason', d.reason,
                    'rule', d.rule)::text, v_league.position::bigint, d.score, d.player_id;
                IF v_left = 0 THEN
                    RETURN;
                END IF;
            END LOOP;
            EXIT WHEN v_n < v_piece;
        END LOOP;
        v_score := NULL;
        v_player := 0;
    END LOOP;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'player_id', a.player_id::text, 'league', l.id, 'place', NULL, 'games', 0, 'rating', NULL,
               'to_league', t.id, 'reason', 'inactive', 'rule', '{}'::jsonb)::text, 0::bigint, 0::bigint,
               a.player_id
    FROM absent_decisions(v_no, CASE WHEN p_position = 0 THEN p_player ELSE 0 END, v_left) a
    JOIN leagues l ON l.position = a."position" LEFT JOIN leagues t ON t.position = a.to_position
    ORDER BY a.player_id;
END $$;

COMMENT ON FUNCTION q_season_preview IS
'A page of the dry run of the season''s end, after (league''s position, score, player); players without a game
come last (position 0). Reads the tables piece by piece until it has enough players who move. The first row is
the head.
Refusals: those of admin_enter, season_closing.
Called by api.';
