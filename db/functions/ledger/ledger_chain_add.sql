CREATE OR REPLACE FUNCTION ledger_chain_add(p_after bigint, p_upto bigint, p_hash bytea) RETURNS bytea
    LANGUAGE plpgsql AS $$
DECLARE
    v_ids    bigint[];
    v_hashes bytea[];
BEGIN
    SELECT array_agg(h.transfer_id ORDER BY h.transfer_id), array_agg(h.hash ORDER BY h.transfer_id)
    INTO v_ids, v_hashes FROM ledger_hashes(p_after, p_upto) h;
    FOR i IN 1 .. cardinality(v_ids) LOOP
        p_hash := sha256(p_hash || v_hashes[i]);
        v_hashes[i] := p_hash;
    END LOOP;
    INSERT INTO ledger_chain (transfer_id, hash) SELECT * FROM unnest(v_ids, v_hashes);
    RETURN p_hash;
END $$;

COMMENT ON FUNCTION ledger_chain_add IS
'Adds the transfers after one number and up to another to the chain, following the hash of the first;
returns the hash of the last. The caller holds the row of ledger_seal, and has checked that none of them is
still uncommitted.
Called by do_seal_ledger.';
