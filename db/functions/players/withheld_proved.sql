CREATE OR REPLACE FUNCTION withheld_proved() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint := (to_jsonb(NEW)->>TG_ARGV[0])::bigint;
BEGIN
    DELETE FROM withheld_players WHERE player_id = v_player;
    IF FOUND THEN
        INSERT INTO player_days (player_id, bonus_day) VALUES (v_player, local_day(now()));
        PERFORM lock_players(ARRAY[v_player]);
        PERFORM welcome_player(v_player);
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION withheld_proved IS
'When an account whose rewards are withheld gets a confirmed way to sign in, it gets its welcome chips, and
its days begin (player_days). The trigger''s argument is the column that names the player.
Called by the trigger withheld_proved of identities, the trigger withheld_proved of passkeys, the trigger
withheld_proved of players.';
