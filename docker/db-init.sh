#!/usr/bin/env bash
# Run once by the PostgreSQL image when it makes its cluster: the role and the database of rummyd. The role owns
# its database and nothing else; it is no superuser.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$RUMMYD_PASSWORD" --username postgres --dbname postgres <<'END'
CREATE ROLE rummyd LOGIN PASSWORD :'password';
CREATE DATABASE rummyd OWNER rummyd;
END
