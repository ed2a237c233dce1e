CREATE OR REPLACE FUNCTION absent_decisions(p_season integer, p_player bigint, p_limit bigint)
    RETURNS TABLE (player_id bigint, "position" smallint, to_position smallint)
    LANGUAGE sql STABLE AS $$
    SELECT m.player_id, m.position, l.to_position
    FROM (SELECT * FROM league_members o
          WHERE o.player_id > p_player AND o.since <= p_season
            AND NOT EXISTS (SELECT 1 FROM league_rows r
                            WHERE r.season_no = p_season AND r.player_id = o.player_id)
          ORDER BY o.player_id LIMIT p_limit) m
    JOIN (SELECT position, lag(position) OVER (ORDER BY position) AS to_position
          FROM leagues) l ON l.position = m.position
    ORDER BY m.player_id
$$;

COMMENT ON FUNCTION absent_decisions IS
'What the end of a season means for players of any league without a counted game: one league down, or out of
the lowest one. Returns p_limit of them after p_player, by id.
Called by q_season_preview, season_absent.';
