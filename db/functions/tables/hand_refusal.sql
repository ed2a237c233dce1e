CREATE OR REPLACE FUNCTION hand_refusal(p_table bigint, p_epoch bigint, p_hand integer, p_ends boolean)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables;
    v_hand  hands;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    RETURN CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                WHEN CASE WHEN p_ends THEN v_hand.ended_at ELSE v_hand.dealt_at END IS NOT NULL
                THEN 'already_done'
                WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                WHEN v_table.state <> 'playing' OR v_hand.table_id IS NULL
                  OR (p_ends AND v_hand.dealt_at IS NULL) THEN 'not_playing' END;
END $$;

COMMENT ON FUNCTION hand_refusal IS
'Locks the table and returns why this hand cannot be dealt or, with p_ends, ended; NULL: it can.
Called by do_deal_hand, do_end_hand.';
