CREATE OR REPLACE FUNCTION add_counts(p_a jsonb, p_b jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(name, n), '{}')
    FROM (SELECT e.key AS name, sum(e.value::bigint) AS n
          FROM (SELECT * FROM jsonb_each_text(p_a) UNION ALL SELECT * FROM jsonb_each_text(p_b)) e
          GROUP BY e.key) s
$$;

COMMENT ON FUNCTION add_counts IS
'The sum of the counts of two job steps.
Called by do_job.';
