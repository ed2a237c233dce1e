CREATE OR REPLACE FUNCTION league_cuts(p_season integer, p_position integer, p_ranked bigint,
                                       p_preview boolean)
    RETURNS league_cuts
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    l       leagues;
    n       leagues;
    c       league_cuts;
    v_board integer := (SELECT id FROM boards WHERE kind = 'league' AND variant = 'rummy51'
                        AND period = p_season || ':' || p_position);
    v_level integer;
    v_place bigint := 0;
    v_left  bigint;
    d       record;
BEGIN
    SELECT * INTO STRICT l FROM leagues WHERE position = p_position;
    SELECT * INTO n FROM leagues WHERE position = p_position + 1;
    v_level := (SELECT t.level_from FROM rooms r JOIN titles t ON t.name = r.title WHERE r.id = n.id);
    c.ranked := p_ranked;
    c.open := coalesce(n.open OR p_preview AND n.id IN (SELECT leagues_to_open()), false);
    -- least() ignores NULL.
    c.promote_places := CASE WHEN l.promote_places > 0 THEN least(l.promote_places, p_ranked / 5) END;
    c.relegate_places := CASE WHEN l.relegate_places > 0 THEN least(l.relegate_places, p_ranked / 5) END;
    c.promote_to := CASE WHEN n.id IS NULL THEN 0 ELSE coalesce(c.promote_places, 0) END;
    c.relegate_from := p_ranked + 1;
    IF c.promote_to > 0 AND c.open THEN
        v_left := c.promote_places;
        FOR d IN SELECT (SELECT level FROM players WHERE id = e.player_id) AS level FROM board_entries e
                 WHERE e.board_id = v_board ORDER BY e.score DESC, (-e.player_id) DESC LOOP
            EXIT WHEN v_place = p_ranked OR v_left = 0;
            v_place := v_place + 1;
            v_left := v_left - (d.level >= v_level)::integer;
        END LOOP;
        c.promote_to := v_place;
    END IF;
    v_left := coalesce(c.relegate_places, 0);
    IF v_left > 0 THEN
        FOR d IN SELECT (SELECT level FROM players WHERE id = e.player_id) AS level,
                        (SELECT rating FROM league_rows
                         WHERE season_no = p_season AND player_id = e.player_id) AS rating
                 FROM board_entries e WHERE e.board_id = v_board AND e.score >= 1::bigint << 60
                 ORDER BY e.score, -e.player_id LOOP
            EXIT WHEN v_left = 0;
            c.relegate_from := c.relegate_from - 1;
            v_left := v_left - (NOT (c.open AND d.level >= v_level
                                     AND (c.relegate_from <= c.promote_to
                                          OR coalesce(d.rating >= l.promote_rating, false))))::integer;
        END LOOP;
    END IF;
    RETURN c;
END $$;

COMMENT ON FUNCTION league_cuts IS
'Where a league''s table is cut at the end of a season. Of the players with enough games, whose number is
p_ranked, the first promote_places that have the next room are promoted, and the last relegate_places of the
rest are relegated; each is limited to a fifth of them. Reads the table from both ends until it has found
these places. p_preview: leagues that would open by now count as open.
Called by q_season_preview, season_close, season_rank.';
