CREATE OR REPLACE FUNCTION do_report_club(p_player bigint, p_club bigint, p_reason text, p_text text)
    RETURNS TABLE (code text, id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club   clubs;
    v_owner  bigint;
    v_report reports;
BEGIN
    SELECT * INTO v_club FROM clubs c WHERE c.id = p_club;
    SELECT m.player_id INTO v_owner FROM club_members m WHERE m.club_id = p_club AND m.role = 'owner';
    code := CASE WHEN v_club.id IS NULL THEN 'no_such_club'
                 WHEN v_owner = p_player THEN 'own_club' END;
    IF code IS NOT NULL THEN
        RETURN QUERY SELECT code, NULL::bigint;
        RETURN;
    END IF;
    INSERT INTO reports (reporter_id, reported_id, club_id, said, reason, text)
    VALUES (p_player, v_owner, p_club, concat_ws(E'\n', v_club.name, nullif(v_club.about, '')), p_reason,
            p_text)
    ON CONFLICT DO NOTHING RETURNING reports.* INTO v_report;
    IF v_report.id IS NOT NULL THEN
        PERFORM report_tell(v_report);
    END IF;
    RETURN QUERY SELECT 'ok', r.id FROM reports r
                 WHERE r.reporter_id = p_player AND r.club_id = p_club AND r.state = 'open';
END $$;

COMMENT ON FUNCTION do_report_club IS
'Reports a club: of its owner, with its name and words as they are. While such a report is open a second one
of the same player changes nothing.
Refusals: no_such_club, own_club.
Called by api.';
