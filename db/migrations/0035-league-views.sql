-- What people read of leagues: the six with the season's clock, a league's table, one's own results; and the dry run.

-- code: ok, no_such_player.
CREATE FUNCTION q_leagues(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object(
        'season', jsonb_build_object('number', s.no, 'starts_at', rfc3339(s.starts_at), 'ends_at', rfc3339(s.ends_at),
                                     'closing', s.state = 'closing', 'games_min', setting_int('season_games_min')),
        'own', (SELECT jsonb_build_object('league', l.id, 'games', coalesce(r.games, 0), 'wins', coalesce(r.wins, 0),
                                          'rating', r.rating,
                                          'place', board_place(b.id, e.score, p_player))
                FROM league_members m JOIN leagues l ON l.position = m.position
                LEFT JOIN league_rows r ON r.season_no = s.no AND r.player_id = m.player_id AND r.position = m.position
                LEFT JOIN boards b ON b.kind = 'league' AND b.variant = 'rummy51' AND b.period = s.no || ':' || m.position
                LEFT JOIN board_entries e ON e.board_id = b.id AND e.player_id = m.player_id
                WHERE m.player_id = p_player),
        'items', (SELECT jsonb_agg(jsonb_build_object(
                      'id', l.id, 'name', l.name, 'open', l.open, 'room', l.id,
                      'promote_rating', l.promote_rating, 'promote_places', l.promote_places,
                      'relegate_rating', l.relegate_rating, 'relegate_places', l.relegate_places,
                      'prizes', (SELECT jsonb_agg(gold ORDER BY place) FROM league_prizes z WHERE z.league_id = l.id))
                      ORDER BY l.position) FROM leagues l))::text
    FROM seasons s, players p
    WHERE s.state IN ('opening', 'open', 'closing') AND p.id = p_player AND p.deleted_at IS NULL
$$;

-- A page of the running season's table behind a place (score, player). The first row is the head. code: ok, no_such_league.
CREATE FUNCTION q_league_table(p_player bigint, p_league text, p_score bigint, p_after bigint, p_place bigint, p_limit bigint)
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
    SELECT 'ok', jsonb_build_object('place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar,
                                    'title', v.title, 'games', r.games, 'wins', r.wins, 'rating', r.rating,
                                    'ranked', e.score >= 1::bigint << 60, 'own', e.player_id = p_player)::text,
           e.score, e.player_id, e.place
    FROM (SELECT o.player_id, o.score,
                 coalesce(p_place, 0) + row_number() OVER (ORDER BY o.score DESC, (-o.player_id) DESC) AS place
          FROM board_entries o
          WHERE o.board_id = v_board AND (p_score IS NULL OR (o.score, -o.player_id) < (p_score, -p_after))
          ORDER BY o.score DESC, (-o.player_id) DESC LIMIT p_limit) e
    JOIN players p ON p.id = e.player_id JOIN levels v ON v.level = p.level
    JOIN league_rows r ON r.season_no = v_season.no AND r.player_id = e.player_id
    ORDER BY e.place;
END $$;

-- The player's seasons that have ended, newest first, each with the reason for what became of him.
CREATE FUNCTION q_my_seasons(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT r.season_no::bigint, jsonb_build_object(
        'season', r.season_no, 'ended_at', rfc3339(s.ends_at), 'league', l.id, 'place', r.place, 'games', r.games,
        'rating', r.rating, 'to_league', t.id, 'reason', r.reason, 'said', r.said, 'prize_gold', r.prize_gold)::text
    FROM season_results r JOIN seasons s ON s.no = r.season_no JOIN leagues l ON l.position = r.position
    LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.player_id = p_player AND r.season_no < p_before AND s.state = 'ended'
    ORDER BY r.season_no DESC LIMIT p_limit
$$;

-- A page of the dry run, behind (league's position, score, player); those without a game come last (position 0).
-- It looks at the tables a piece at a time until it has enough players who move. code: as admin_enter.
CREATE FUNCTION q_season_preview(p_key_hash bytea, p_position bigint, p_score bigint, p_player bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code   text;
    v_no     integer;
    v_ends   timestamptz;
    v_left   bigint := p_limit;
    v_league leagues;
    v_ranked bigint;
    v_place  bigint;
    v_score  bigint := p_score;
    v_player bigint := coalesce(p_player, 0);
    v_n      bigint;
    d        record;
    v_piece  bigint := setting_int('job_batch');
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'read:season_preview', '{}') e;
    SELECT no, ends_at INTO v_no, v_ends FROM seasons WHERE state IN ('opening', 'open');
    IF v_code = 'ok' AND v_no IS NULL THEN
        v_code := 'season_closing';
    END IF;
    RETURN QUERY SELECT v_code, jsonb_build_object('season', v_no, 'ends_at', rfc3339(v_ends))::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code <> 'ok' THEN
        RETURN;
    END IF;
    FOR v_league IN SELECT * FROM leagues WHERE position >= coalesce(p_position, 1) AND coalesce(p_position, 1) > 0
                    ORDER BY position LOOP
        v_ranked := league_ranked_n(v_no, v_league.position);
        v_place := CASE WHEN v_score IS NULL THEN 0
                        ELSE board_place(league_board(v_no, v_league.position), v_score, v_player) END;
        LOOP
            v_n := 0;
            FOR d IN SELECT * FROM league_decisions(v_no, v_league.position, v_ranked, v_place, v_score, v_player, v_piece, true) LOOP
                v_n := v_n + 1;
                v_score := d.score;
                v_player := d.player_id;
                v_place := d.place;
                CONTINUE WHEN d.reason = 'stays';
                v_left := v_left - 1;
                RETURN QUERY SELECT 'ok', jsonb_build_object(
                    'player_id', d.player_id::text, 'league', v_league.id, 'place', d.place, 'games', d.games, 'rating', d.rating,
                    'to_league', (SELECT l.id FROM leagues l WHERE l.position = d.to_position), 'reason', d.reason,
                    'said', d.said)::text, v_league.position::bigint, d.score, d.player_id;
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
               'to_league', t.id, 'reason', 'inactive', 'said', a.said)::text, 0::bigint, 0::bigint, a.player_id
    FROM absent_decisions(v_no, CASE WHEN p_position = 0 THEN p_player ELSE 0 END, v_left) a
    JOIN leagues l ON l.position = a."position" LEFT JOIN leagues t ON t.position = a.to_position
    ORDER BY a.player_id;
END $$;
