#!/usr/bin/env bash
# Creates the three roles with their passwords, and the database. The PostgreSQL image runs this once when
# it creates its cluster.
set -euo pipefail
psql --username postgres --dbname postgres --file /etc/rummyd/roles.sql
psql -v ON_ERROR_STOP=1 -v owner="$RUMMYD_OWNER_PASSWORD" -v server="$RUMMYD_PASSWORD" -v read="$RUMMYD_READ_PASSWORD" \
  --username postgres --dbname postgres <<'END'
ALTER ROLE rummyd_owner PASSWORD :'owner';
ALTER ROLE rummyd PASSWORD :'server';
ALTER ROLE rummyd_read PASSWORD :'read';
END
