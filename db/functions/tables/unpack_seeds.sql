CREATE OR REPLACE FUNCTION unpack_seeds(p_packed bytea) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_seeds text[] := '{}';
    v_at    integer := 0;
BEGIN
    WHILE v_at < octet_length(p_packed) LOOP
        v_seeds := v_seeds || encode(substr(p_packed, v_at + 2, get_byte(p_packed, v_at)), 'hex');
        v_at := v_at + 1 + get_byte(p_packed, v_at);
    END LOOP;
    RETURN v_seeds;
END $$;

COMMENT ON FUNCTION unpack_seeds IS
'Inverse of pack_seeds: seeds in hexadecimal digits, by seat.
Called by api, settle_seats.';
