CREATE OR REPLACE FUNCTION ledger_check_days()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    WITH paid AS (
        SELECT t.id, t.key, t.note, a.player_id, ledger_day(right(t.key, 10)) AS day,
               ledger_day(CASE WHEN t.note = '' THEN right(t.key, 10) ELSE t.note END) AS first_day
        FROM transfers t JOIN postings p ON p.transfer_id = t.id AND p.reason = 'daily'
        JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse'
        WHERE t.cause = 'daily'
    ), ordered AS (
        SELECT *, lag(day) OVER (PARTITION BY player_id ORDER BY day, id) AS before FROM paid
    )
    SELECT 'bonus_differs', 'transfer ' || o.id,
           o.key || CASE WHEN o.note <> '' THEN ' from ' || o.note ELSE '' END || ': '
               || CASE WHEN o.day > d.bonus_day THEN 'that midnight is still to come'
                       WHEN o.first_day <= o.before THEN 'midnights up to ' || o.before || ' were paid before'
                       ELSE 'there are no such midnights' END
    FROM ordered o LEFT JOIN player_days d ON d.player_id = o.player_id
    WHERE (o.first_day > coalesce(o.before, o.first_day - 1) AND o.first_day <= o.day
           AND o.day <= d.bonus_day) IS NOT TRUE
$$;

COMMENT ON FUNCTION ledger_check_days IS
'Midnights that were paid twice, or in advance. A transfer pays the midnight in its key, or all midnights
from the one in its note up to the one in its key.
Called by q_ledger_check.';
