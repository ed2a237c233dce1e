CREATE OR REPLACE FUNCTION ledger_key_fits(p_cause text, p_key text, p_player bigint, p_table bigint)
    RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(p_key COLLATE "C" ~ '^[!-~]+$' AND CASE p_cause
        WHEN 'welcome'     THEN p_key = 'welcome:' || p_player
        WHEN 'stake'       THEN starts_with(p_key, 'stake:table:' || p_table || ':take:')
                                AND p_key ~ '^stake:table:[0-9]+:take:[1-9][0-9]*$'
        WHEN 'refund'      THEN starts_with(p_key, 'refund:table:' || p_table || ':take:')
                                AND p_key ~ '^refund:table:[0-9]+:take:[1-9][0-9]*$'
        WHEN 'settle'      THEN p_key = 'settle:table:' || p_table
        WHEN 'level'       THEN starts_with(p_key, 'level:' || p_player || ':')
                                AND p_key ~ '^level:[0-9]+:[1-9][0-9]*$'
        WHEN 'achievement' THEN starts_with(p_key, 'achievement:' || p_player || ':')
        WHEN 'quest'       THEN p_key ~ ('^quest:' || p_player || ':[0-9]{4}-[0-9]{2}-[0-9]{2}:.')
        WHEN 'daily'       THEN p_key = 'daily:' || p_player || ':' || ledger_day(right(p_key, 10))
        WHEN 'invite'      THEN p_key = 'invited:' || p_player OR p_key ~ '^invite:[1-9][0-9]*$'
        WHEN 'forfeit'     THEN p_key ~ ('^forfeit:' || p_player || ':[1-9][0-9]*$')
        WHEN 'league'      THEN p_key ~ '^league:[1-9][0-9]*:[^:]+:[1-9][0-9]*$'
        WHEN 'month'       THEN p_key ~ '^month:[0-9]{4}-[0-9]{2}:[^:]+:[^:]+:[1-9][0-9]*$'
        WHEN 'entry'       THEN p_key ~ '^entry:[1-9][0-9]*:[1-9][0-9]*$'
        WHEN 'entry_back'  THEN p_key ~ '^entry_back:[1-9][0-9]*:[1-9][0-9]*$'
        WHEN 'prize'       THEN p_key ~ ('^prize:[1-9][0-9]*:' || p_player || '$')
        WHEN 'shop'        THEN p_key ~ '^shop:[1-9][0-9]*:paid$'
        WHEN 'shop_back'   THEN p_key ~ '^shop:[1-9][0-9]*:(back|return):.'
        ELSE true END, false)
$$;

COMMENT ON FUNCTION ledger_key_fits IS
'Whether a transfer of this cause, for this player or table, may have this key: each event has exactly one
possible key, because otherwise it could be paid twice.
Called by ledger_check_transfers.';
