CREATE OR REPLACE FUNCTION do_end_hand(p_table bigint, p_epoch bigint, p_hand integer, p_ending text,
                                       p_results jsonb, p_record text, p_next_seed bytea, p_next_commit bytea)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text := coalesce(hand_refusal(p_table, p_epoch, p_hand, true), 'ok');
BEGIN
    IF v_code = 'ok' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    IF v_code = 'ok' AND p_next_seed IS NOT NULL THEN
        INSERT INTO hands (table_id, hand_no, server_seed, commit)
        VALUES (p_table, p_hand + 1, p_next_seed, p_next_commit);
        UPDATE tables SET hand_no = p_hand + 1, server_seed = p_next_seed, commit = p_next_commit
        WHERE id = p_table;
        UPDATE seats SET client_seed = '' WHERE table_id = p_table AND client_seed <> ''
            AND NOT EXISTS (SELECT 1 FROM tables WHERE id = p_table AND deal_id IS NOT NULL);
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_end_hand IS
'Ends a hand: stores its results, with each seat''s total, and its record. With p_next_seed, another hand
follows; it is announced by its commitment and waits for client seeds, except those of a shared deal, which
remain.
Refusals: already_done, no_such_table, stale_epoch, not_playing.
Called by db.';
