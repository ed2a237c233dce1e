#!/usr/bin/env bash
# Makes a backup at startup and then daily, and keeps the newest for each day of the week.
#
#   backup.sh FOLDER CONNINFO      PGPASSWORD: of the read role
#
# BACKUP_ONCE=1: exit after the first backup.
set -uo pipefail
folder=$1 conninfo=$2
day_s=86400

while :; do
  if ! /usr/local/bin/rummyd-backup "$folder/$(date -u +%a).dump" "$conninfo"; then
    echo "backup: failed; the next one is in a day" >&2
    [[ -z ${BACKUP_ONCE-} ]] || exit 1
  fi
  [[ -z ${BACKUP_ONCE-} ]] || exit 0
  sleep "$day_s" &
  wait $!
done
