#!/usr/bin/env bash
# Runs the jobs of docker/crontab.example in a container, on the same schedule (UTC). Each job runs once at startup,
# which makes up for runs missed while the container was down.
#
#   jobs.sh CRONTAB FOLDER     FOLDER holds the jobs; RUMMYD_URL and a key as scripts/jobs/lib.sh describes
#
# JOBS_ONCE=1: only the first round, and exit 1 if a job failed.
set -uo pipefail
crontab=$1 folder=$2

# Whether the field (*, */N, N, or N,N) matches the number.
matches() { # field, number
  local part
  case $1 in
    '*') return 0 ;;
    '*/'*) (($2 % ${1#*/} == 0)); return ;;
  esac
  for part in ${1//,/ }; do ((part == $2)) && return 0; done
  return 1
}

run() { # job
  if "$folder/$1"; then return 0; fi
  echo "jobs: $1 failed" >&2
  return 1
}

# For each line that names a job: minute, hour, and job name.
mapfile -t lines < <(sed -nE 's#^([0-9*/,]+) +([0-9*/,]+) +\* +\* +\* +/opt/rummyd/scripts/jobs/([a-z-]+)$#\1 \2 \3#p' "$crontab")
((${#lines[@]})) || { echo "jobs: $crontab names no job" >&2; exit 1; }
[[ -n ${RUMMYD_API_KEY_FILE-} && -r ${RUMMYD_API_KEY_FILE-} ]] || { echo "jobs: cannot read the key in RUMMYD_API_KEY_FILE" >&2; exit 1; }

failed=0
for line in "${lines[@]}"; do
  read -r minute hour job <<<"$line"
  run "$job" || failed=1
done
[[ -z ${JOBS_ONCE-} ]] || exit "$failed"

while :; do
  now=$(date -u +%s)
  sleep $((60 - now % 60)) &
  wait $! # so that a signal ends the script at once
  read -r now_minute now_hour < <(date -u '+%-M %-H')
  for line in "${lines[@]}"; do
    read -r minute hour job <<<"$line"
    if matches "$minute" "$now_minute" && matches "$hour" "$now_hour"; then run "$job" & fi
  done
done
