CREATE OR REPLACE FUNCTION admin_waiting(p_may text[]) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'reports', CASE WHEN 'read:reports' = ANY (p_may) THEN
            (SELECT count(*) FROM reports WHERE state = 'open') END,
        'flags', CASE WHEN 'read:flags' = ANY (p_may) THEN
            (SELECT count(*) FROM shop_flags WHERE settled_at IS NULL) END,
        'grants', CASE WHEN 'read:grants' = ANY (p_may) THEN
            (SELECT count(*) FROM chip_grants WHERE state = 'waiting' AND at > now() - grant_life()) END,
        'lost_tables', CASE WHEN 'read:lost_tables' = ANY (p_may) THEN
            (SELECT count(*) FROM lost_tables WHERE ended_at IS NULL) END,
        'jobs', CASE WHEN 'job:list' = ANY (p_may) THEN
            (SELECT count(*) FROM q_jobs(now()) WHERE overdue) END,
        'webhooks', CASE WHEN 'read:webhooks' = ANY (p_may) THEN
            (SELECT count(*) FROM webhook_endpoints WHERE off_at IS NOT NULL) END)
$$;

COMMENT ON FUNCTION admin_waiting IS
'Number of pending items for operators, by kind. p_may: the actions of the key; null for a kind it may not
see.
Called by do_admin_status.';
