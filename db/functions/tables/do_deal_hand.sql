CREATE OR REPLACE FUNCTION do_deal_hand(p_table bigint, p_epoch bigint, p_hand integer,
                                        p_client_seeds bytea[])
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_hand  hands;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_hand.dealt_at IS NOT NULL THEN 'already_done'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' OR v_hand.table_id IS NULL THEN 'not_playing'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE hands SET client_seeds = pack_seeds(p_client_seeds), dealt_at = now()
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_deal_hand IS
'Deals the promised hand with the client seeds that are there.
Refusals: already_done, no_such_table, stale_epoch, not_playing.
Called by db.';
