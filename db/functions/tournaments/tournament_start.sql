CREATE OR REPLACE FUNCTION tournament_start(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_new tournaments := p_tournament;
    v_gone integer := tournament_part(p_tournament.id);
    v_bots integer;
BEGIN
    SELECT * INTO STRICT v_new FROM tournaments WHERE id = p_tournament.id;
    IF v_new.sit_and_go AND v_gone > 0 AND v_new.people_n < v_new.entries_max
       AND (v_new.bots_to = 0 OR v_new.people_n < v_new.entries_min) THEN
        UPDATE tournaments SET starts_at = now() + make_interval(secs => wait_s)
        WHERE id = v_new.id AND starts_at <= now();
        RETURN;
    END IF;
    v_bots := greatest(0, v_new.bots_to - v_new.people_n);
    IF v_new.people_n < v_new.entries_min OR v_new.people_n + v_bots < 2 THEN
        PERFORM tournament_cancel(v_new, 'too_few');
        RETURN;
    END IF;
    INSERT INTO tournament_entries (tournament_id, entry_no, bot_level, bot_name, team)
    SELECT v_new.id, v_new.entries_no + n, v_new.bot_level, 'Bot ' || n,
           CASE WHEN v_new.kind = 'teams'
                THEN 1 + (n > v_new.seats_n - (SELECT count(*) FROM tournament_entries e
                                               WHERE e.tournament_id = v_new.id AND e.team = 1))::integer END
    FROM generate_series(1, v_bots) n;
    UPDATE tournaments SET state = 'running', started_at = now(), bots_n = v_bots,
                           entries_no = v_new.entries_no + v_bots, clients = tournament_clients(v_new.id),
                           late_until = CASE WHEN late_s > 0 THEN now() + make_interval(secs => late_s) END
    WHERE id = v_new.id RETURNING * INTO v_new;
    PERFORM tournament_draw(v_new, 1, NULL);
END $$;

COMMENT ON FUNCTION tournament_start IS
'Begins a tournament that the caller has locked: refunds entries of players who may no longer play, adds
house bots for the places reserved for them (in team matches, to team 1 first), and draws the first round.
With too few players, it is canceled. A sit-and-go from which such players were removed continues to wait.
Called by do_tournament_step.';
