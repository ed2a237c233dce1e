-- The tickets of all who came in one turn of a node's loop, in one statement: row by row as do_redeem_ticket says,
-- in the order asked, so that of one ticket given twice the first is the one that counts. Table 0 is the lobby.
CREATE FUNCTION do_redeem_tickets(p_tickets uuid[], p_tables bigint[])
    RETURNS TABLE (code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. cardinality(p_tickets) LOOP
        RETURN QUERY SELECT * FROM do_redeem_ticket(p_tickets[i], NULLIF(p_tables[i], 0));
    END LOOP;
END $$;
