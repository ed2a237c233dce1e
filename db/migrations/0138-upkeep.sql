-- Work that grew with what was done long ago: invitations that are paid were looked through each time, and games alone of past days were kept for ever.

-- What a paid invitation brings its inviter is noted when it is counted, and crossed off when his gold is there.
ALTER TABLE invites ADD COLUMN owed boolean NOT NULL DEFAULT false;
UPDATE invites i SET owed = true
WHERE state = 'paid' AND NOT EXISTS (SELECT 1 FROM transfers WHERE key = 'invite:' || i.invited_id);
CREATE INDEX invites_owed ON invites (inviter_id, invited_id) WHERE owed;

-- An open invitation is looked at when its player rises to the level, not each time somebody looks.
CREATE TABLE invites_due (
    invited_id bigint PRIMARY KEY REFERENCES invites (invited_id)
);
INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
WHERE i.state = 'open' AND p.level >= setting_int('invite_level');

CREATE FUNCTION invites_ripen(p_invited bigint) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO invites_due SELECT i.invited_id FROM invites i JOIN players p ON p.id = i.invited_id
    WHERE (p_invited IS NULL OR i.invited_id = p_invited) AND i.state = 'open' AND p.level >= setting_int('invite_level')
    ON CONFLICT DO NOTHING
$$;
CREATE FUNCTION player_ripens() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NEW.id);
    RETURN NULL;
END $$;
CREATE FUNCTION invite_ripens() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NEW.invited_id);
    RETURN NULL;
END $$;
CREATE FUNCTION invite_level_moves() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER player_ripens AFTER UPDATE OF level ON players
    FOR EACH ROW WHEN (NEW.level > OLD.level) EXECUTE FUNCTION player_ripens();
CREATE TRIGGER invite_ripens AFTER INSERT ON invites FOR EACH ROW EXECUTE FUNCTION invite_ripens();
CREATE TRIGGER invite_level_moves AFTER UPDATE ON settings
    FOR EACH ROW WHEN (NEW.name = 'invite_level') EXECUTE FUNCTION invite_level_moves();

-- As in 0038, from what is due and owed alone.
CREATE OR REPLACE FUNCTION do_counts_due(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_row record;
    v_n   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd counts due', 0));
    FOR v_row IN DELETE FROM invites_due d USING invites i
                 WHERE i.invited_id = d.invited_id
                   AND d.invited_id = ANY (ARRAY(SELECT invited_id FROM invites_due ORDER BY invited_id LIMIT p_max))
                 RETURNING i.invited_id, i.inviter_id, i.state LOOP
        v_n := v_n + 1;
        CONTINUE WHEN v_row.state <> 'open';
        IF (SELECT count(*) FROM invites WHERE inviter_id = v_row.inviter_id AND state = 'paid') >= setting_int('invites_paid_max') THEN
            UPDATE invites SET state = 'over' WHERE invited_id = v_row.invited_id;
        ELSE
            UPDATE invites SET state = 'paid', owed = true WHERE invited_id = v_row.invited_id;
            INSERT INTO counts_due (player_id, counter, n) VALUES (v_row.inviter_id, 'invites', 1);
        END IF;
    END LOOP;
    PERFORM lock_players(ARRAY(SELECT player_id FROM (SELECT player_id FROM counts_due ORDER BY id LIMIT p_max) d
                               UNION SELECT inviter_id FROM invites WHERE owed));
    FOR v_row IN SELECT invited_id, inviter_id FROM invites WHERE owed ORDER BY inviter_id, invited_id LOOP
        PERFORM do_credit(v_row.inviter_id, 'gold', setting_int('invite_gold'), 'invite', 'invite:' || v_row.invited_id, '');
        PERFORM notify_player(v_row.inviter_id, 'invite', jsonb_build_object('gold', setting_int('invite_gold'),
                              'nickname', (SELECT nickname FROM players WHERE id = v_row.invited_id)));
        UPDATE invites SET owed = false WHERE invited_id = v_row.invited_id;
    END LOOP;
    FOR v_row IN SELECT * FROM (SELECT * FROM counts_due ORDER BY id LIMIT p_max) d ORDER BY player_id, id LOOP
        PERFORM count_towards(v_row.player_id, v_row.counter, v_row.n, false);
        DELETE FROM counts_due WHERE id = v_row.id;
        v_n := v_n + 1;
    END LOOP;
    RETURN v_n;
END $$;
DROP INDEX invites_open;

-- Games alone are counted for a day; those of yesterday may still be given back when a table is cancelled.
CREATE INDEX alone_games_day ON alone_games (day);
CREATE FUNCTION do_purge_days(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    DELETE FROM alone_games WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM alone_games WHERE day < local_day(now()) - 2 LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_n;
END $$;

CREATE OR REPLACE FUNCTION upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_batch bigint := setting_int('job_batch');
    v_rows  bigint := do_purge(v_batch::integer) + do_purge_days(v_batch);
    v_due   bigint := do_counts_due(least(v_batch, 500));
BEGIN
    RETURN ROW(v_rows >= v_batch OR v_due >= least(v_batch, 500), jsonb_build_object('rows', v_rows, 'counts', v_due))::job_step;
END $$;
