# shellcheck shell=bash
# Common code of the jobs: one POST to an admin endpoint, repeated until the server reports that all is done.
#
#   RUMMYD_URL            address of the server (http://127.0.0.1:8080)
#   RUMMYD_API_KEY        the key, or
#   RUMMYD_API_KEY_FILE   the file that holds it
#
# A job may safely run twice, late, or concurrently; an interrupted call is repeated with the same key and
# resumes where it stopped.
set -euo pipefail

url=${RUMMYD_URL:-http://127.0.0.1:8080} url=${url%/}
calls_max=1000 # per job
tries_max=5    # per call without a response
pause_s=${RUMMYD_JOB_PAUSE_S:-3}

job_key() {
  if [[ -n ${RUMMYD_API_KEY-} ]]; then
    printf '%s' "$RUMMYD_API_KEY"
  elif [[ -n ${RUMMYD_API_KEY_FILE-} ]]; then
    tr -d '\n' <"$RUMMYD_API_KEY_FILE"
  else
    echo "job: set RUMMYD_API_KEY or RUMMYD_API_KEY_FILE (make a key with: rummyd api-key make NAME jobs HOLDER)" >&2
    return 1
  fi
}

# Passes the key through a file descriptor, because all users can read command lines.
job_curl() { # METHOD PATH [ARGUMENT…]
  local key method=$1 path=$2
  shift 2
  key=$(job_key) || return 1
  curl -sS --max-time 900 -X "$method" -K <(printf 'header = "Authorization: Bearer %s"\n' "$key") "$@" "$url$path"
}

run_job() { # PATH
  local answer='' status='' key
  local -i call try
  for ((call = 0; call < calls_max; call++)); do
    key=$(</proc/sys/kernel/random/uuid)
    for ((try = 1; ; try++)); do
      answer=$(job_curl POST "$1" -H "Idempotency-Key: $key" -w '\n%{http_code}') && status=${answer##*$'\n'} || status=000
      [[ $answer != *'"clock_set_back"'* ]] || break
      # The response was lost, or the server is busy or restarting, so repeat the same call.
      [[ $status == 000 || $status == 409 || $status == 429 || $status == 5?? ]] || break
      ((try < tries_max)) || { echo "job: no response from $url$1 (last: $status)" >&2; return 1; }
      sleep "$pause_s"
    done
    answer=${answer%$'\n'*}
    if [[ $status != 200 ]]; then
      echo "job: $status $answer" >&2
      return 1
    fi
    printf '%s\n' "$answer"
    [[ $answer == *'"done": false'* ]] || return 0
  done
  echo "job: $1 is not done after $calls_max calls" >&2
  return 1
}
