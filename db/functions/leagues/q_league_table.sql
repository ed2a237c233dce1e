CREATE OR REPLACE FUNCTION q_league_table(p_player bigint, p_league text, p_score bigint, p_after bigint,
                                          p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_season seasons;
    v_league leagues;
    v_board  integer;
BEGIN
    SELECT * INTO v_league FROM leagues WHERE id = p_league;
    SELECT * INTO STRICT v_season FROM seasons WHERE state IN ('opening', 'open', 'closing');
    SELECT id INTO v_board FROM boards
    WHERE kind = 'league' AND variant = 'rummy51' AND period = v_season.no || ':' || v_league.position;
    RETURN QUERY SELECT CASE WHEN v_league.id IS NULL THEN 'no_such_league' ELSE 'ok' END,
                        jsonb_build_object('league', v_league.id, 'season', v_season.no)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname,
                                    'avatar', p.avatar,
                                    'title', v.title, 'games', r.games, 'wins', r.wins, 'rating', r.rating,
                                    'ranked', e.score >= 1::bigint << 60,
                                    'own', e.player_id = p_player)::text,
           e.score, e.player_id, e.place
    FROM (SELECT o.player_id, o.score,
                 coalesce(p_place, 0) + row_number() OVER (ORDER BY o.score DESC,
                                                           (-o.player_id) DESC) AS place
          FROM board_entries o
          WHERE o.board_id = v_board AND (o.score, -o.player_id) < (coalesce(p_score, 9223372036854775807),
                                                                    -coalesce(p_after, 0))
          ORDER BY o.score DESC, (-o.player_id) DESC LIMIT p_limit) e
    JOIN players p ON p.id = e.player_id JOIN levels v ON v.level = p.level
    JOIN league_rows r ON r.season_no = v_season.no AND r.player_id = e.player_id
    ORDER BY e.place;
END $$;

COMMENT ON FUNCTION q_league_table IS
'A page of the current season''s table after a place (p_score, p_after). The first row is the head.
Refusals: no_such_league.
Called by api.';
