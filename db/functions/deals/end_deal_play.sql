CREATE OR REPLACE FUNCTION end_deal_play(p_table bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM deal_plays WHERE table_id = p_table AND state = 'playing'
        AND NOT EXISTS (SELECT 1 FROM hands h WHERE h.table_id = p_table AND h.dealt_at IS NOT NULL);
    UPDATE deal_plays SET state = 'void', ended_at = now() WHERE table_id = p_table AND state = 'playing';
END $$;

COMMENT ON FUNCTION end_deal_play IS
'Handles a table of a shared deal that ends without a result. A player who has not seen any cards may play
the deal at another table; for the others, it is over.
Called by end_table.';
