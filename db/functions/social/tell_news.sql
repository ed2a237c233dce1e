CREATE OR REPLACE FUNCTION tell_news() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
DECLARE
    v_players text;
BEGIN
    IF current_setting('rummyd.news', true) = 'on' THEN
        SELECT string_agg(p.player_id::text, ' ') INTO v_players
        FROM (SELECT DISTINCT player_id FROM new_rows LIMIT 64) p;
        RAISE NOTICE '%', v_players USING ERRCODE = 'RNEWS';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION tell_news IS
'Names to the connection of a node that wrote notifications for whom they are, 64 players at most, so that
their sockets at all nodes look at once; of more, and when it is lost, they look by themselves within two
seconds. It comes before the commit, so whoever hears of it waits a little.
Called by the trigger tell_news of notifications.';
