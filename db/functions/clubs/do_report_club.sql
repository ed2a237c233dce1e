CREATE OR REPLACE FUNCTION do_report_club(p_player bigint, p_club bigint, p_reason text, p_text text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club  clubs;
    v_owner bigint;
BEGIN
    SELECT * INTO v_club FROM clubs c WHERE c.id = p_club;
    SELECT m.player_id INTO v_owner FROM club_members m WHERE m.club_id = p_club AND m.role = 'owner';
    code := CASE WHEN v_club.id IS NULL THEN 'no_such_club'
                 WHEN v_owner = p_player THEN 'own_club' END;
    IF code IS NULL THEN
        code := 'ok';
        body := report_club(p_player, v_owner, p_club, NULL,
                            concat_ws(E'\n', v_club.name, nullif(v_club.about, '')), p_reason, p_text);
    END IF;
    RETURN QUERY SELECT code, body;
END $$;

COMMENT ON FUNCTION do_report_club IS
'Reports a club (and thus its owner), with its current name and description. While such a report is open,
another one by the same player changes nothing.
Refusals: no_such_club, own_club.
Called by api.';
