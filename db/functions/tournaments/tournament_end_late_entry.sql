CREATE OR REPLACE FUNCTION tournament_end_late_entry(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_new tournaments;
BEGIN
    PERFORM tournament_part(p_tournament.id);
    UPDATE tournaments SET late_until = NULL,
                           clients = CASE WHEN EXISTS (SELECT 1 FROM tournament_entries e
                                                       WHERE e.tournament_id = id AND NOT e.drawn)
                                          THEN tournament_clients(id) ELSE clients END
    WHERE id = p_tournament.id RETURNING * INTO v_new;
    IF v_new.clients <> p_tournament.clients THEN
        PERFORM tournament_draw(v_new, 1, NULL);
    END IF;
END $$;

COMMENT ON FUNCTION tournament_end_late_entry IS
'Ends late entry: players who entered after the start get separate tables in the first round, unless they
may no longer play.
Called by do_tournament_step.';
