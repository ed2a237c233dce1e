CREATE OR REPLACE FUNCTION leagues_to_open() RETURNS SETOF text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT l.id FROM leagues l JOIN rooms r ON r.id = l.id JOIN titles t ON t.name = r.title
    WHERE NOT l.open AND l.opens_players IS NOT NULL
      AND l.opens_players <= (SELECT count(*) FROM (
              SELECT 1 FROM league_members m JOIN players p ON p.id = m.player_id
              JOIN seasons s ON s.state IN ('opening', 'open', 'closing')
              JOIN league_rows r ON r.season_no = s.no AND r.player_id = m.player_id
              WHERE m.position = l.position - 1 AND p.level >= t.level_from AND p.deleted_at IS NULL
              LIMIT l.opens_players) e);
END $$;

COMMENT ON FUNCTION leagues_to_open IS
'The leagues that will be open once the season''s results are known, because enough members of the league
below have the title and have played a game this season that counts for their league.
Called by league_cuts, season_close.';
