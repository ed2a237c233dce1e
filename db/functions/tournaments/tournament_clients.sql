CREATE OR REPLACE FUNCTION tournament_clients(p_tournament bigint) RETURNS bytea
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT sha256(coalesce(string_agg(int4send(entry_no) || set_byte('\x00', 0, length(client_seed))
                                              || client_seed, ''::bytea ORDER BY entry_no), ''))
            FROM tournament_entries WHERE tournament_id = p_tournament);
END $$;

COMMENT ON FUNCTION tournament_clients IS
'The hash of all entrants'' seeds: for each, by number, the number (4 bytes), the length of the seed (1 byte),
and the seed.
Called by tournament_end_late_entry, tournament_start.';
