CREATE OR REPLACE FUNCTION tournament_pot_empty() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.accounts
               WHERE kind = 'pot' AND tournament_id = NEW.id AND balance <> 0) THEN
        RAISE EXCEPTION 'tournament %: it is over, and its pot is not empty', NEW.id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION tournament_pot_empty IS
'Verifies at the end of the transaction that a tournament that is over has nothing left in its pot.
Refusals: check_violation.
Called by the trigger tournament_pot_empty of tournaments.';
