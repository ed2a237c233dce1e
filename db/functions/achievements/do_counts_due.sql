CREATE OR REPLACE FUNCTION do_counts_due(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_row   record;
    v_state text;
    v_n     bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd counts due', 0));
    FOR v_row IN DELETE FROM invites_due d USING invites i
                 WHERE i.invited_id = d.invited_id
                   AND d.invited_id = ANY (ARRAY(SELECT invited_id FROM invites_due ORDER BY invited_id
                                                 LIMIT p_max))
                 RETURNING i.invited_id, i.inviter_id, i.state LOOP
        v_n := v_n + 1;
        CONTINUE WHEN v_row.state <> 'open';
        v_state := invite_state_due(v_row.invited_id, v_row.inviter_id);
        CONTINUE WHEN v_state = 'open';
        UPDATE invites SET state = v_state, owed = true WHERE invited_id = v_row.invited_id;
        IF v_state = 'paid' THEN
            INSERT INTO counts_due (player_id, counter, n) VALUES (v_row.inviter_id, 'invites', 1);
        END IF;
    END LOOP;
    PERFORM lock_players(ARRAY(SELECT player_id
                               FROM (SELECT player_id FROM counts_due ORDER BY id LIMIT p_max) d
                               UNION SELECT inviter_id FROM invites WHERE owed
                               UNION SELECT invited_id FROM invites WHERE owed));
    FOR v_row IN SELECT invited_id, inviter_id, state FROM invites WHERE owed
                 ORDER BY inviter_id, invited_id LOOP
        PERFORM do_credit(v_row.invited_id, 'gold', setting_int('invited_gold'),
                          'invite', 'invited:' || v_row.invited_id, '');
        PERFORM notify_player(v_row.invited_id,
                              'invited', jsonb_build_object('gold', setting_int('invited_gold'),
                              'player_id', v_row.inviter_id::text));
        IF v_row.state = 'paid' THEN
            PERFORM do_credit(v_row.inviter_id, 'gold', setting_int('invite_gold'),
                              'invite', 'invite:' || v_row.invited_id, '');
            PERFORM notify_player(v_row.inviter_id,
                                  'invite', jsonb_build_object('gold', setting_int('invite_gold'),
                                  'player_id', v_row.invited_id::text));
        END IF;
        UPDATE invites SET owed = false WHERE invited_id = v_row.invited_id;
    END LOOP;
    FOR v_row IN SELECT * FROM (SELECT * FROM counts_due ORDER BY id LIMIT p_max) d
                 ORDER BY player_id, id LOOP
        PERFORM add_to_counter(v_row.player_id, v_row.counter, v_row.n, false);
        PERFORM add_to_quests(v_row.player_id, v_row.counter, v_row.n, quest_week(v_row.at));
        DELETE FROM counts_due WHERE id = v_row.id;
        v_n := v_n + 1;
    END LOOP;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_counts_due IS
'Processes what is due, at most p_max of each kind: pays invitations whose player has played enough (to the
invited player and, unless the invitation is over, to the inviter), and updates counters of players whose
lock was not held at the time of the event. Returns the number processed.
Key of each transfer: `invite:<invited>`, `invited:<invited>`.
Called by server, upkeep_step.';
