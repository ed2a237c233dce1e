CREATE OR REPLACE FUNCTION board_reach(p_reach integer[], p_parts integer[], p_changes integer[])
    RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    FOR j IN 1 .. cardinality(p_parts) LOOP
        FOR i IN 1 .. p_parts[j] LOOP
            p_reach[i] := p_reach[i] + p_changes[j];
        END LOOP;
    END LOOP;
    RETURN p_reach;
END $$;

COMMENT ON FUNCTION board_reach IS
'The cumulative counts of the parts after the named parts have changed.
Called by board_add_moves.';
