CREATE OR REPLACE FUNCTION shop_dispute(p_order bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN bool_or(d.lost) THEN 'lost' WHEN bool_or(NOT d.won) THEN 'open'
                WHEN count(*) > 0 THEN 'won' ELSE 'none' END
    FROM (SELECT bool_or(kind = 'dispute_lost') AS lost, bool_or(kind = 'dispute_won') AS won
          FROM shop_events WHERE order_id = p_order AND kind IN ('disputed', 'dispute_won', 'dispute_lost')
          GROUP BY subject) d
$$;

COMMENT ON FUNCTION shop_dispute IS
'How the disputes of an order stand: none, open, won or lost. A dispute that was closed is not opened by
hearing late of its beginning.
Called by shop_settle.';
