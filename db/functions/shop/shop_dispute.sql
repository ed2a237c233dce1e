CREATE OR REPLACE FUNCTION shop_dispute(p_order bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN bool_or(d.lost) THEN 'lost' WHEN bool_or(NOT d.won) THEN 'open'
                WHEN count(*) > 0 THEN 'won' ELSE 'none' END
    FROM (SELECT bool_or(kind = 'dispute_lost') AS lost, bool_or(kind = 'dispute_won') AS won
          FROM shop_orders o JOIN shop_events e ON e.order_id = o.id
          WHERE o.id = p_order AND shop_event_of_payment(e, o.payment_ref)
            AND kind IN ('disputed', 'dispute_won', 'dispute_lost')
          GROUP BY subject) d
$$;

COMMENT ON FUNCTION shop_dispute IS
'State of the disputes of an order''s payment: none, open, won, or lost. If its beginning is reported late,
a closed dispute is not reopened.
Called by shop_settle.';
