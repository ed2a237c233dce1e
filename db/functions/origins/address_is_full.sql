CREATE OR REPLACE FUNCTION address_is_full(p_address_hash bytea) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_address_hash IS NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd address ' || encode(p_address_hash, 'hex'), 0));
    RETURN (SELECT count(*) FROM account_origins
            WHERE address_hash = p_address_hash AND day = local_day(now()))
           >= setting_int('address_accounts_per_day');
END $$;

COMMENT ON FUNCTION address_is_full IS
'Whether the next account created from this address today would exceed the number of accounts that get chips
and rewards before they have a confirmed way to sign in. NULL: not an internet address, which is never
limited.
Locks: the address, until the end of the transaction, so that two accounts created at once are both counted.
Called by do_enter_guest, do_enter_registered.';
