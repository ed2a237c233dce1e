-- What is flagged and not settled is counted now and then, for /metrics.
CREATE INDEX shop_flags_open ON shop_flags (id) WHERE settled_at IS NULL;
