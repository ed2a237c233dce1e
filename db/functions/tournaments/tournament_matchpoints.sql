CREATE OR REPLACE FUNCTION tournament_matchpoints(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tournament_seats s
    SET score = CASE WHEN r.n > 1 AND r.deal_points IS NOT NULL
                     THEN 60 * (2 * (r.rank - 1) + r.tied_n - 1) / (r.n - 1) ELSE 60 END,
        beaten = CASE WHEN r.deal_points IS NOT NULL THEN 2 * (r.rank - 1) + r.tied_n - 1 ELSE 0 END,
        compared = CASE WHEN r.deal_points IS NOT NULL THEN r.n - 1 ELSE 0 END,
        margin = CASE WHEN r.deal_points IS NULL THEN 0 WHEN r.best_high THEN 1 ELSE -1 END
                 * (60 * r.points - 60 * r.sum_points / r.n)
    FROM (SELECT a.table_no, a.seat, a.points::bigint AS points, a.deal_points, d.best_high,
                 rank() OVER (same ORDER BY a.deal_points) AS rank,
                 count(*) OVER (same) AS n, sum(a.points) OVER (same) AS sum_points,
                 count(*) OVER (PARTITION BY k.seats_n, a.seat, a.deal_points) AS tied_n
          FROM tournament_tables k
          JOIN tournament_seats a ON a.tournament_id = k.tournament_id AND a.round_no = k.round_no
                                 AND a.table_no = k.table_no
          JOIN tournament_deals m ON m.tournament_id = k.tournament_id AND m.round_no = k.round_no
          JOIN deals d ON d.id = m.deal_id
          WHERE k.tournament_id = p_tournament.id AND k.round_no = p_tournament.round_no
          WINDOW same AS (PARTITION BY k.seats_n, a.seat, a.deal_points IS NULL)) r
    WHERE s.tournament_id = p_tournament.id AND s.round_no = p_tournament.round_no
      AND s.table_no = r.table_no AND s.seat = r.seat;
END $$;

COMMENT ON FUNCTION tournament_matchpoints IS
'Scores the seats of a duplicate round whose tables are all over: each is compared with the same seat at the
other tables of the same size, which had the same cards. score: the fraction of the other seats that it
beat, from 0 for none to 120 for all, rounded down; a tie counts half. Without others, or without a result,
it is 60. beaten (2 for each win, 1 for a tie) and compared (number of others) are exact. margin: the
difference between its points and the mean of all, times 60. The caller has locked the tournament.
Called by tournament_round_end.';
