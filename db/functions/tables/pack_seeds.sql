CREATE OR REPLACE FUNCTION pack_seeds(p_seeds bytea[]) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT string_agg(set_byte('\x00', 0, octet_length(s)) || s, '' ORDER BY n)
            FROM unnest(p_seeds) WITH ORDINALITY AS u (s, n));
END $$;

COMMENT ON FUNCTION pack_seeds IS
'Client seeds by seat, each preceded by its length in one byte, as in the deal key.
Called by do_deal_hand, do_start_batch.';
