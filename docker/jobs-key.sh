#!/usr/bin/env bash
# Creates the API key of the service `jobs` as the owner of the database (RUMMYD_DB), unless the file
# exists.
#
#   jobs-key.sh FILE
set -euo pipefail
file=$1
[[ ! -s $file ]] || exit 0
umask 077
# The name is unique, because key names cannot be reused and the file may be lost with its volume. Revoke
# keys that are no longer used.
rummyd api-key make "compose-jobs-$(date -u +%Y%m%d-%H%M%S)" jobs compose never >"$file.part"
mv "$file.part" "$file"
