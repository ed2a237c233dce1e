#!/usr/bin/env bash
# Creates the three roles with their passwords, and the database. The PostgreSQL image runs this once when
# it creates its cluster.
set -euo pipefail
: "${RUMMYD_OWNER_PASSWORD:?}" "${RUMMYD_PASSWORD:?}" "${RUMMYD_READ_PASSWORD:?}"
psql --username postgres --dbname postgres --file /etc/rummyd/roles.sql
# psql reads the passwords itself: other processes could see them among its arguments.
psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres <<'END'
\getenv owner RUMMYD_OWNER_PASSWORD
\getenv server RUMMYD_PASSWORD
\getenv read RUMMYD_READ_PASSWORD
ALTER ROLE rummyd_owner PASSWORD :'owner';
ALTER ROLE rummyd PASSWORD :'server';
ALTER ROLE rummyd_read PASSWORD :'read';
END
