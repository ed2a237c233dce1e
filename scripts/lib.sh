# shellcheck shell=bash disable=SC2154
# Common code of scripts/run and scripts/test. Sourced from the root of the clone; each step writes its output to a file
# in $logs.

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Runs one step and prints one line if it took a while. If the step fails, prints the end of its output and
# exits.
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

# Without built-in rules (-r), because make would try them on every source and header, which takes ten times
# as long as the rest.
build_program() { make -r -j"$(nproc)" BUILD="$build"; }

# Prints a file in these folders that is newer than the stamp, if there is one. Files that git ignores do
# not count, because builds and checks write them.
newer_than() { # stamp, folders and files…
  local line ignored=()
  while read -r line; do
    line=${line%/}
    case $line in
      '') ;;
      /*) ignored+=(-o -path "${line#/}") ;;
      *) ignored+=(-o -name "$line") ;;
    esac
  done <.gitignore
  find "${@:2}" \( "${ignored[@]:1}" \) -prune -o -type f -newer "$1" -print -quit
}

# Builds the page if a source is newer than its last complete build.
build_page() {
  local stamp=node_modules/.page-built
  [[ ! -e $stamp || ! -e web/dist/index.html ||
    -n $(newer_than "$stamp" web sdk/typescript wasm wire engine base openapi.yaml asyncapi.yaml package-lock.json) ]] || return 0
  rm -f "$stamp"
  touch "$stamp.begun"
  npm --prefix web run build && mv "$stamp.begun" "$stamp"
}

# The same for the client with its example and for the engine for Node.js, where the last file of each build
# is the stamp.
build_client() {
  build_package sdk/typescript sdk/typescript/dist/examples/bot.js openapi.yaml asyncapi.yaml &&
    build_package wasm wasm/dist/src/node.js wire engine base
}
build_package() { # folder, stamp, other sources
  [[ ! -e $2 || -n $(newer_than "$2" "$1" "${@:3}" package-lock.json) ]] || return 0
  npm --prefix "$1" run build && touch "$2"
}
