# shellcheck shell=bash disable=SC2154
# The stages of scripts/test: stage_NAME runs everything in the stage NAME through `tests` (count.sh), or only the
# checks, layers, or files that only[NAME] lists. If $quick is set, a stage runs only its part of scripts/test quick.
# scripts/test sources this file.

# Whether the stage runs this item: always, unless only[STAGE] omits it.
runs() { [[ -z ${only[$1]-} || " ${only[$1]} " == *" $2 "* ]]; } # stage, item

stage_check() {
  local name
  for name in $(scripts/check --list); do
    ! runs check "$name" || tests check "$name" whole env BUILD="$build" scripts/check "$name"
  done
}

stage_unit() {
  local layer corpus name seeds
  for layer in $(make -s print-layers); do
    [[ ! -x $build/test-$layer ]] || ! runs unit "$layer" || tests unit "$layer" criterion "$build/test-$layer" --short-filename
  done
  for corpus in "$build"/corpus-*; do
    name=${corpus##*/corpus-}
    mapfile -t seeds < <(compgen -G "tests/fuzz/seeds/$name/*")
    [[ ! -x $corpus ]] || ! runs unit fuzz || tests unit "fuzz/$name" whole "$corpus" "$corpus_inputs" "${seeds[@]}"
  done
  [[ ! -x $build/simulate ]] || ! runs unit simulate ||
    tests unit simulate said tests/simulate/check "$build/simulate" "$simulated_worlds"
}

stage_vectors() { tests vectors rules said "$build/rummyd" vectors tests/vectors/*.txt; }

stage_scripts() {
  local file
  for file in tests/scripts/test-*; do
    ! runs scripts "$file" || tests scripts "${file#tests/scripts/test-}" said "$file"
  done
}

npm_in() { # stage, folder
  local files
  read -ra files <<<"${only[$1]-}" # used by vitest as filters
  tests "$1" types whole npm --prefix "$2" run types
  tests "$1" vitest junit npm --prefix "$2" test -- "${files[@]#"$2"/}" --reporter=default --reporter=junit --outputFile.junit="$logs/$1-vitest.xml"
}
stage_web() { npm_in web web; }
stage_sdk() { npm_in sdk sdk/typescript; }
stage_wasm() { npm_in wasm wasm; }

# Most of these tests wait for something, so several processes share the files of large stages.
pytest_in() { # stage, processes
  local share=() files
  read -ra files <<<"${only[$1]-tests/$1}"
  if [[ -n $quick ]]; then # only files with `quick` tests, so that pytest need not read the others
    mapfile -t files < <(grep -lE '^ *(@|pytestmark = )pytest\.mark\.quick\b' "tests/$1"/test_*.py)
    share=(-m quick)
  fi
  (($2 == 1 || (${#files[@]} == 1 && ${#only[$1]} > 0))) || share+=(-n "$2" --dist loadfile)
  tests "$1" pytest junit "$python" -m pytest -q -p no:cacheprovider "${share[@]}" --junitxml="$logs/$1-pytest.xml" "${files[@]}"
}
stage_db() { pytest_in db 2; }
stage_http() { pytest_in http 3; }
stage_ws() { pytest_in ws 3; }
stage_bench() { pytest_in bench 1; }
stage_clients() { pytest_in clients 1; }
stage_faults() { pytest_in faults 3; }
stage_nodes() { pytest_in nodes 3; }
stage_cluster() {
  local -i stage_s_max=$((stage_s_max + 120 * ${RUMMY_CLUSTER_SEQUENCES:-0})) # the long form takes hours
  [[ -n ${only[cluster]-} ]] || playwright_in cluster cluster &
  [[ -z $brief ]] || only[cluster]='tests/cluster/test_manifests.py tests/cluster/test_script.py'
  pytest_in cluster 2 # each file has its own cluster, and mostly waits
  wait
}

# Runs a project of tests/e2e/playwright.config.mjs, or some of its files, with Playwright.
playwright_in() { # stage, project, files…
  local files
  read -ra files <<<"${*:3} ${only[$1]-}"
  tests "$1" chromium junit env E2E_JUNIT="$logs/$1-chromium.xml" npm --prefix tests/e2e test -- --project="$2" "${files[@]}"
}
# The page in Chromium, with mocked responses and with the program.
stage_screens() { playwright_in screens screens; }
stage_e2e() { E2E_ONLY=${E2E_ONLY-${quick:+@quick}} playwright_in e2e e2e; }

# Plays whole sessions of each variant through the page, with random deals, and runs the page's other tests
# with the program.
stage_games() {
  local -i stage_s_max=$((4 * stage_s_max))
  export RUMMY_LONG=1
  playwright_in games e2e
}

# The page in every window and language; otherwise only in the most revealing ones.
stage_windows() {
  local -i stage_s_max=$((2 * stage_s_max))
  export RUMMY_LONG=1
  playwright_in windows screens
}

# Also a long stage, because its generators and compilers need half a gigabyte and several minutes.
stage_apps() { pytest_in apps 1; }

# The page in the two other engines. A long stage, because nothing else needs these browsers, which take 150
# MB each.
stage_browsers() {
  playwright_in browsers-firefox firefox
  playwright_in browsers-webkit webkit
}

# Checks the promised times of the page and the server. The other stages only print the times, because a
# busy machine is slow.
stage_times() {
  local file
  export RUMMY_STRICT_TIMES=1
  grep -l '^from support.times import' tests/*/test_*.py | while read -r file; do
    tests times "${file//\//-}" junit "$python" -m pytest -q -p no:cacheprovider --junitxml="$logs/times-${file//\//-}.xml" "$file"
  done
  playwright_in times e2e play/connection
}

# A stage exists if it has something to run.
has() {
  case $1 in
    check | unit) true ;;
    web) [[ -f web/package.json ]] ;;
    sdk) [[ -f sdk/typescript/package.json ]] ;;
    wasm) [[ -f wasm/package.json ]] ;;
    vectors) compgen -G 'tests/vectors/*.txt' >/dev/null ;;
    screens | e2e | games | windows | browsers | times) [[ -f tests/e2e/package.json ]] ;;
    scripts) compgen -G 'tests/scripts/test-*' >/dev/null ;;
    *) compgen -G "tests/$1/test_*.py" >/dev/null ;;
  esac
}
