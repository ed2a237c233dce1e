CREATE OR REPLACE FUNCTION tournament_teams(p_tournament tournaments)
    RETURNS TABLE (team integer, points bigint, tables bigint[], place integer)
    LANGUAGE sql STABLE AS $$
    WITH at_table AS (
        SELECT e.team, s.table_no, sum(s.points) AS points, bool_and(s.deal_points IS NOT NULL) AS counts
        FROM tournament_seats s
        JOIN tournament_entries e ON e.tournament_id = s.tournament_id AND e.entry_no = s.entry_no
        WHERE s.tournament_id = p_tournament.id AND e.team IS NOT NULL
        GROUP BY e.team, s.table_no
    ), of_team AS (
        SELECT team, CASE WHEN bool_and(counts) THEN sum(points)::bigint END AS points,
               array_agg(CASE WHEN counts THEN points END ORDER BY table_no) AS tables
        FROM at_table GROUP BY team
    )
    SELECT b.team::integer, b.points, b.tables,
           CASE WHEN rank() OVER (ORDER BY CASE WHEN d.best_high THEN -b.points ELSE b.points END) = 1
                THEN 1 ELSE 1 + p_tournament.seats_n END
    FROM of_team b
    JOIN tournament_deals m ON m.tournament_id = p_tournament.id
    JOIN deals d ON d.id = m.deal_id
$$;

COMMENT ON FUNCTION tournament_teams IS
'Results of the two teams of a match whose tables are over: the points of their seats, per table and in
total, as the variant counts them; for a player who left, the bot''s result counts. place: 1 for everyone in
the better team; for the other team, the place after them. Both have 1 if they are tied, or if a table had
no result, because then there is nothing to compare (points NULL).
Called by q_tournament, tournament_round_end.';

CREATE OR REPLACE FUNCTION tournament_team_seat(p_team integer, p_nth bigint, p_seats integer)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT t.no * p_seats + 2 * ((p_nth - 1) % (p_seats / 2))::integer + ((p_team - 1) # t.no)
    FROM (SELECT ((p_nth - 1) / (p_seats / 2))::integer AS no) t
$$;

COMMENT ON FUNCTION tournament_team_seat IS
'Seat of the p_nth member of a team by lot, counted over the seats of both tables. The first half of each
team sits at table 1, team 1 in the even seats and team 2 in the odd ones; the others sit at table 2, with
even and odd swapped. NULL: no team.
Called by tournament_draw.';

CREATE OR REPLACE FUNCTION tournament_team_free(p_tournament tournaments) RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_tournament.kind = 'teams' THEN (
        SELECT 1 + (count(*) FILTER (WHERE e.team = 2) < count(*) FILTER (WHERE e.team = 1))::integer
        FROM tournament_entries e WHERE e.tournament_id = p_tournament.id) END
$$;

COMMENT ON FUNCTION tournament_team_free IS
'The team of a match that has fewer players, or 1 if both have the same number; NULL: there are no teams.
Called by do_enter_tournament.';
