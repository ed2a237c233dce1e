CREATE OR REPLACE FUNCTION settle_deals(p_tables bigint[], p_seats settled_seat[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM tables WHERE id = ANY (p_tables) AND deal_id IS NOT NULL) THEN
        RETURN;
    END IF;
    WITH done AS (
        UPDATE deal_plays p
        SET state = 'done', ended_at = now(), game_id = s.game_id, points = s.points, place = s.place,
            left_early = NOT s.took_part,
            score = deal_points(d.best_high, s.points, NOT s.took_part)
        FROM unnest(p_seats) s JOIN tables t ON t.id = s.table_id JOIN deals d ON d.id = t.deal_id
        WHERE p.table_id = s.table_id AND p.player_id = s.player_id AND p.state = 'playing'
        RETURNING p.deal_id, p.score, p.ranked
    )
    INSERT INTO deal_scores AS c (deal_id, score, plays_n)
    SELECT deal_id, score, count(*) FROM done WHERE ranked GROUP BY deal_id, score ORDER BY deal_id, score
    ON CONFLICT (deal_id, score) DO UPDATE SET plays_n = c.plays_n + excluded.plays_n;
END $$;

COMMENT ON FUNCTION settle_deals IS
'Stores the results of the plays of shared deals at these tables, and counts them. A player who left, or for
whom a bot played most turns, ranks below all others.
Called by do_settle_batch.';
