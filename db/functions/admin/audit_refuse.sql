CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit: % of % is not allowed', lower(TG_OP),
    TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION audit_refuse IS
'Lets nothing of the log be changed, deleted or truncated.
Refusals: check_violation, always.
Called by the trigger audit_kept of audit.';
