CREATE OR REPLACE FUNCTION week_of(p_week text) RETURNS date
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_monday date;
BEGIN
    IF p_week !~ '^20[0-9]{2}-W(0[1-9]|[1-4][0-9]|5[0-3])$' THEN
        RETURN NULL;
    END IF;
    v_monday := to_date(p_week, 'IYYY-"W"IW');
    RETURN CASE WHEN to_char(v_monday, 'IYYY-"W"IW') = p_week THEN v_monday END;
END $$;

COMMENT ON FUNCTION week_of IS
'The Monday of an ISO week in the form 2026-W48; NULL: there is no such week.
Called by q_week.';
