# shellcheck shell=bash disable=SC2154
# How scripts/test runs a command of a stage, counts its tests, and reports them. Sourced by it; $logs, $python, $cluster,
# and $stage_s_max are set there.

# All lanes write to one file, each line with a single write.
count() { # stage, name, passed, failed, skipped, seconds, CPU seconds
  local note='' word=ok what=''
  (($5 == 0)) || note=", $5 skipped"
  if (($4)); then
    word=FAIL
    what=$(sed 's/^/      /' "$logs/$1-${2//\//-}.log" 2>/dev/null | tail -n 200)
  fi
  printf '%s %s\t%d\t%d\t%s\n' "$1" "$2" "$3" "$4" "${7:-0}" >>"$logs/counts"
  say "$(printf '%-4s  %-22s %5d passed, %d failed%s  (%d s, %.1f of the processors)' "$word" "$1 $2" "$3" "$4" "$note" "$6" "${7:-0}")${what:+$'\n'$what}"
}

# Lists the failed tests by name, with the first lines of their findings, because CI may keep only the end
# of the output.
name_failures() {
  local stage log
  while read -r stage; do
    log=$logs/${stage/ /-}
    { failures_junit "$log.xml" ||
      grep -hE '^ *(FAIL(ED)?|ERROR) |^ *(✗|✘|×|not ok) |^\[(FAIL|CRASH)\]' "$log.log" 2>/dev/null | cut -c 1-160 | sort -u; } |
      head -n 10 | sed "s|^ *|failed: $stage: |"
  done < <(awk -F '\t' '$3 > 0 { gsub("/", "-", $1); print $1 }' "$logs/counts")
}

failures_junit() { # JUnit file → one line per failed test; status 1 if there is none
  "$python" - "$1" <<'END' 2>/dev/null
import re
import sys
import xml.etree.ElementTree as tree

failed = 0
for case in tree.parse(sys.argv[1]).getroot().iter("testcase"):
    for found in case.findall("failure") + case.findall("error"):
        text = re.sub(r"\x1b\[[0-9;]*m", "", f"{found.get('message') or ''} {found.text or ''}")
        print(f"{case.get('classname')} › {case.get('name')}: {' '.join(text.split())}"[:600])
        failed += 1
sys.exit(not failed)
END
}

# The seconds for which the machine's processors have been busy since boot.
busy() { awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8) / hz }' /proc/stat; }

# Prints the CPU time used. The processes for which this shell has waited are the builds and stages.
# scripts/pg counts PostgreSQL, for which no stage waits. Most of Chromium's processes are in neither count;
# they are only in the machine's total, which includes all other work.
cost() { # the output of `busy` when the run began
  local all stages postgres
  times >"$logs/times" # not in a pipe, because a subshell has not waited for any process
  all=$(awk 'NR == 2 { gsub("[ms]", " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$logs/times")
  stages=$(awk -F '\t' '{ n += $4 } END { print n + 0 }' "$logs/counts")
  postgres=$({ scripts/pg cpu "$cluster" 2>/dev/null; cat "$RUMMY_PG_CPU" 2>/dev/null; } | awk '{ n += $1 } END { print n + 0 }')
  awk -v a="$all" -v s="$stages" -v p="$postgres" -v m="$(busy)" -v began="$1" 'BEGIN {
    printf "of the processors: %.0f s (stages %.0f, builds and the rest %.0f, PostgreSQL %.0f); the machine was busy for %.0f s\n",
      a + p, s, (a > s ? a - s : 0), p, m - began }'
}

# Prints the totals as the last line; true if something passed and nothing failed.
sum() {
  name_failures
  cost "$began"
  awk -F '\t' '$3 > 0 { print "failed: " $1 }
    { passed += $2; failed += $3 }
    END { printf "%d passed, %d failed\n", passed, failed; exit !(failed == 0 && passed > 0) }' "$logs/counts"
}

# Runs one command of a stage and counts its reported results and the findings of sanitizers (Criterion lets
# a leaking test pass). A command that fails, times out, or runs no test counts as at least one failure.
tests() { # stage, name, how to count, command…
  local stage=$1 name=$2 how=$3
  local log=$logs/$stage-${name//\//-}.log
  local -i began=$SECONDS status=0 good=0 bad=0 skipped=0
  local TIMEFORMAT='%U %S'
  shift 3
  { time timeout -k 10 "$stage_s_max" "$@" >"$log" 2>&1 </dev/null; } 2>"$log.cpu" || status=$?
  ((status != 124)) || echo "ended after $stage_s_max s" >>"$log"
  read -r good bad skipped < <("count_$how" "$log" "$status")
  bad=$((bad + $(grep -cE 'ERROR: [A-Za-z]+Sanitizer|WARNING: ThreadSanitizer|: runtime error: ' "$log")))
  if ((bad == 0 && (status != 0 || good == 0))); then
    echo "exit status $status, $good tests passed" >>"$log"
    bad=1
  fi
  count "$stage" "$name" "$good" "$bad" "$skipped" $((SECONDS - began)) "$(awk '{ print $1 + $2 }' "$log.cpu")"
}

count_whole() { (($2 == 0)) && echo 1 0 0 || echo 0 1 0; }

# Criterion: "[====] Synthesis: Tested: 12 | Passing: 12 | Failing: 0 | Crashing: 0"
count_criterion() {
  sed -nE 's/.*Passing: *([0-9]+).*Failing: *([0-9]+).*Crashing: *([0-9]+).*/\1 \2 \3/p' <(sed 's/\x1b\[[0-9;]*m//g' "$1") |
    awk '{ good += $1; bad += $2 + $3 } END { print good + 0, bad + 0, 0 }'
}

# pytest, vitest, and Playwright write a JUnit file next to the log.
count_junit() {
  "$python" - "${1%.log}.xml" <<'END' 2>/dev/null || echo 0 0 0
import sys
import xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot().iter("testsuite")
n = [0, 0, 0]
for s in suites:
    bad = int(s.get("failures", 0)) + int(s.get("errors", 0))
    skipped = int(s.get("skipped", 0))
    n = [n[0] + int(s.get("tests", 0)) - bad - skipped, n[1] + bad, n[2] + skipped]
print(*n)
END
}

# Our own runners end with "N passed, N failed".
count_said() {
  grep -oE '[0-9]+ passed, [0-9]+ failed' "$1" | tail -n 1 | awk '{ print $1, $3, 0; seen = 1 } END { if (!seen) print 0, 0, 0 }'
}
