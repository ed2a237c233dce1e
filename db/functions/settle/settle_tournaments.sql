CREATE OR REPLACE FUNCTION settle_tournaments(p_seats settled_seat[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_tables bigint[] := ARRAY(SELECT t.table_id FROM tournament_tables t
                               WHERE t.table_id = ANY (ARRAY(SELECT DISTINCT table_id FROM unnest(p_seats)))
                                 AND t.over_at IS NULL);
BEGIN
    IF v_tables = '{}' THEN
        RETURN;
    END IF;
    UPDATE tournament_seats s
    SET place = r.place, points = r.points,
        score = CASE WHEN d.id IS NULL THEN tournament_score(r.place, r.tied_n, r.n) END,
        margin = CASE WHEN d.id IS NULL THEN sign(r.last_points - r.first_points)::integer
                                             * (60 * r.sum_points / r.n - 60 * r.points) END,
        deal_points = CASE WHEN d.id IS NOT NULL
                           THEN deal_points(d.best_high, r.points::integer, NOT r.took_part) END
    FROM (SELECT u.table_id, u.seat, u.place, u.points::bigint AS points, u.took_part,
                 (count(*) OVER game)::integer AS n, sum(u.points) OVER game AS sum_points,
                 (count(*) OVER (PARTITION BY u.table_id, u.place))::integer AS tied_n,
                 first_value(u.points) OVER by_place AS first_points,
                 last_value(u.points) OVER by_place AS last_points
          FROM unnest(p_seats) u WHERE u.table_id = ANY (v_tables)
          WINDOW game AS (PARTITION BY u.table_id),
                 by_place AS (PARTITION BY u.table_id ORDER BY u.place, u.seat
                              ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) r
    JOIN tournament_tables t ON t.table_id = r.table_id
    LEFT JOIN tournament_deals m ON m.tournament_id = t.tournament_id AND m.round_no = t.round_no
    LEFT JOIN deals d ON d.id = m.deal_id
    WHERE s.tournament_id = t.tournament_id AND s.round_no = t.round_no AND s.table_no = t.table_no
      AND s.seat = r.seat;
    UPDATE tournament_tables SET over_at = now() WHERE table_id = ANY (v_tables);
END $$;

COMMENT ON FUNCTION settle_tournaments IS
'Records the end of tournament tables among these tables. Tables that are already over do not change.
margin: by how much the points are better than the table''s mean, times 60, so that the margins of a table
add up to zero. In a duplicate, score and margin wait for the other tables (tournament_matchpoints).
Called by do_settle_batch, tournament_standing.';
