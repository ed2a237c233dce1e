# shellcheck shell=bash
# For tests of the scripts: `check NAME COMMAND…` counts, `finish` prints the sum. Sourced; works from the root of the
# clone, in a temporary folder $tmp that `finish` removes.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
tmp=$(mktemp -d /tmp/rummyd-scripts-XXXXXX) || exit 1
passed=0 failed=0

check() { # name, command…
  local name=$1
  shift
  if ("$@") >"$tmp/said" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    sed 's/^/      /' "$tmp/said"
  fi
}

# The command fails, and prints a single, matching line on stderr.
refuses() { # regex, command…
  local regex=$1 said status=0
  shift
  said=$("$@" 2>&1 >/dev/null) || status=$?
  printf 'exit %s: %s\n' "$status" "$said"
  [[ $status -ne 0 && $(wc -l <<<"$said") -eq 1 && $said =~ $regex ]]
}

# A zombie that no init reaps counts as ended.
works() { [[ -r /proc/$1/stat && $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat") != Z ]] 2>/dev/null; }

gone() { # seconds, pid: the process ends within that time
  local -i i
  for ((i = 0; i < $1 * 10; i++)); do
    works "$2" || return 0
    sleep 0.1
  done
  echo "process $2 is still there"
  return 1
}

finish() {
  rm -rf "$tmp"
  echo "$passed passed, $failed failed"
  ((failed == 0)) || exit 1
  exit 0
}
