# shellcheck shell=bash disable=SC2154
# What scripts/run and scripts/test share. Sourced from the root of the clone; $logs is where each step
# leaves what it said, one file a step.

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# A step of the way: one line when it is done; if it fails, the end of what it said, and the end.
step() { # name, command…
  local name=$1
  local -i began=$SECONDS
  shift
  mkdir -p "$logs" || die "cannot write in $logs"
  if ! "$@" >"$logs/$name.log" 2>&1 </dev/null; then
    tail -n 25 "$logs/$name.log" >&2
    die "$name failed (all of it: $logs/$name.log)"
  fi
  ((SECONDS - began < 2)) || say "  $name: $((SECONDS - began)) s"
}

# Without built-in rules (-r): make would try them on every source and header, which takes ten times as long as the rest.
build_program() { make -r -j"$(nproc)" BUILD="$build"; }

# A file below these that is newer than the stamp, if there is one; what builds make does not count.
newer_than() { # stamp, folders and files…
  find "${@:2}" \( -name node_modules -o -name dist -o -path web/src/fonts -o -path sdk/typescript/src/gen \) -prune -o \
    -type f -newer "$1" -print -quit
}

# The page is built when a source is newer than the last whole build of it.
build_page() {
  local stamp=node_modules/.page-built
  [[ ! -e $stamp || ! -e web/dist/index.html ||
    -n $(newer_than "$stamp" web sdk/typescript wasm wire engine base openapi.yaml asyncapi.yaml package-lock.json) ]] || return 0
  rm -f "$stamp"
  touch "$stamp.begun"
  npm --prefix web run build && mv "$stamp.begun" "$stamp"
}

# So is the client with its example, the last file of which is the stamp.
build_client() {
  local stamp=sdk/typescript/dist/examples/bot.js
  [[ ! -e $stamp || -n $(newer_than "$stamp" sdk/typescript openapi.yaml asyncapi.yaml package-lock.json) ]] || return 0
  npm --prefix sdk/typescript run build
}
