CREATE OR REPLACE FUNCTION tournament_room(p_tournament tournaments) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN setting_int('tournament_bot_tables_max')
        - (SELECT count(*) FROM tournament_tables
           WHERE tournament_id = p_tournament.id AND round_no = p_tournament.round_no AND over_at IS NULL
             AND table_id IS NOT NULL AND people_n = 0);
END $$;

COMMENT ON FUNCTION tournament_room IS
'How many more bots-only tables may be opened. They play as fast as they can, and must not keep human
players waiting.
Called by tournament_due, tournament_open_tables.';
