CREATE OR REPLACE FUNCTION do_deal_hand(p_table bigint, p_epoch bigint, p_hand integer,
                                        p_client_seeds bytea[])
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text := coalesce(hand_refusal(p_table, p_epoch, p_hand, false), 'ok');
BEGIN
    IF v_code = 'ok' THEN
        UPDATE hands SET client_seeds = pack_seeds(p_client_seeds), dealt_at = now()
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_deal_hand IS
'Deals the announced hand with the client seeds that have arrived.
Refusals: already_done, no_such_table, stale_epoch, not_playing.
Called by db.';
