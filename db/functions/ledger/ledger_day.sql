CREATE OR REPLACE FUNCTION ledger_day(p_text text) RETURNS date
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_text ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
                 AND right(p_text, 2)::integer <= extract(day FROM
                     make_date(left(p_text, 4)::integer, substr(p_text, 6, 2)::integer, 1)
                         + interval '1 month' - interval '1 day')
                THEN make_date(left(p_text, 4)::integer, substr(p_text, 6, 2)::integer,
                               right(p_text, 2)::integer) END
$$;

COMMENT ON FUNCTION ledger_day IS
'The day that a key or a note names (2026-11-22); NULL if it names none.
Called by ledger_check_days, ledger_key_fits.';
