CREATE OR REPLACE FUNCTION pin_watch_delay() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    SELECT watch_delay_ms INTO NEW.watch_delay_ms FROM rooms WHERE id = NEW.room_id;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION pin_watch_delay IS
'Copies the room''s delay for spectators to a table of the room.
Called by the trigger tables_watch_delay of tables.';
