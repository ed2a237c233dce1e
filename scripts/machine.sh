# shellcheck shell=bash
# A machine with systemd as its first process, on which the commands of docs/operations.md run as written. Sourced by
# scripts/prove-clean; uses its $root, $place, $suite, $cleared, and functions.
# shellcheck disable=SC2154

machine_boot_s=120
machine_at=http://127.0.0.1:8080
machine_clone=/opt/rummyd
machine_seal_s=30

# The command blocks of a section of docs/operations.md, in order.
commands_of() { # title
  awk -v title="## $1" '/^## / { on = $0 == title } !on { next } /^```sh$/ { block = 1; next }
    /^```$/ { block = 0; next } block' docs/operations.md
}

# systemd in namespaces and with separate devices; it shares only the network with its host.
boot_machine() { # → $machine (its process) and $group (its control group)
  group=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
  [[ -n $group ]] || die "no cgroup2 file system is mounted, which systemd needs"
  group+=/rummyd-prove-$suite
  mkdir -p "$group"
  # shellcheck disable=SC2016 # the inner shells have their own arguments
  bash -ec 'echo $$ >"$1/cgroup.procs"; exec "${@:2}"' bash "$group" \
    unshare --mount --pid --cgroup --ipc --uts --fork --kill-child --propagation private bash -ec '
    hostname machine
    mount --bind "$1" "$1"
    cd "$1"
    mount --bind "$2" var/cache/apt/archives
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs run
    mount -t tmpfs -o mode=755 tmpfs dev
    for one in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "dev/${one%:*}" c 1 "${one#*:}"; done
    mknod -m 666 dev/tty c 5 0
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    mount -t tmpfs tmpfs dev/shm
    pivot_root . mnt
    umount -l /mnt
    mount --make-rshared / # unit credentials are mounted in a child and must reach the others
    exec env -i container=rummyd /lib/systemd/systemd' bash "$root" "$place/apt" >"$root.boot.log" 2>&1 </dev/null &
  machine=$!
}

on_machine() { # command…; as root
  local first
  first=$(pgrep -P "$machine") || die "the machine is not running, see $root.boot.log"
  clear_env /root
  "${cleared[@]}" nsenter --target "$first" --mount --pid --cgroup --ipc --uts --root env --chdir=/ "$@" </dev/null
}

switch_off() {
  kill -KILL "$machine"
  wait "$machine" 2>/dev/null || true
  until grep -q 'populated 0' "$group/cgroup.events"; do sleep 0.1; done
  find "$group" -depth -type d -exec rmdir {} +
}

machine_is_up() { [[ $(on_machine systemctl is-system-running 2>/dev/null) == @(running|degraded) ]]; }

run_section() { # title, where
  local name=${1//[^A-Za-z]/}
  commands_of "$1" >"$root/root/$name"
  [[ -s $root/root/$name ]] || die "docs/operations.md has no section \"$1\" with commands"
  say "the commands of \"$1\""
  on_machine env --chdir="$2" DEBIAN_FRONTEND=noninteractive bash -ex "/root/$name" >"$root.machine.out" 2>"$root.machine.err" ||
    { tail -n 20 "$root.machine.err"; on_machine journalctl --no-pager -n 20 -u 'rummyd*'; die "a command of \"$1\" fails, see $root.machine.err"; }
  echo "\"$1\": $(grep -c . "$root/root/$name") lines of commands ran" >>"$sum"
}

# Creates the first player, whose chips give the ledger a head.
first_player() {
  local -i i
  on_machine curl -fsS -H 'Content-Type: application/json' -d '{}' "$machine_at/v1/auth/guest" | grep -q access_token || die "a guest cannot enter"
  for ((i = 0; i < machine_seal_s; i++)); do
    on_machine runuser -u rummyd -- "$machine_clone/build/rummyd" ledger-head --db='host=/run/postgresql dbname=rummyd user=rummyd' >/dev/null 2>&1 && return
    sleep 1
  done
  die "the ledger has no head after $machine_seal_s s"
}

# Checks what must work after all commands: the page, the first key, and each job and the backup as run by
# their units.
prove_commands() {
  local key unit
  key=$(grep -oE 'rk_[A-Za-z0-9_-]+' "$root.machine.out") || die "no key was printed, see $root.machine.out"
  on_machine curl -fsS "$machine_at/readyz" >/dev/null || die "$machine_at/readyz does not respond"
  on_machine curl -fsS "$machine_at/" | grep -i '<script' >/dev/null || die "$machine_at/ is not the page"
  on_machine curl -fsS -o /dev/null -H "Authorization: Bearer $key" "$machine_at/v1/admin/status" || die "the first API key cannot be used"
  for unit in docker/systemd/rummyd-*.service; do
    on_machine systemctl start "${unit##*/}" || die "${unit##*/} failed"
  done
  on_machine bash -c 'compgen -G "/var/lib/rummyd-backups/*.dump"' >/dev/null || die "there is no backup"
  [[ $(on_machine curl -sS -o /dev/null -w '%{redirect_url}' -H 'Host: play.example' http://127.0.0.1/) == https://play.example/ ]] ||
    die "the proxy does not redirect to https"
  on_machine systemctl restart rummyd@n1 || die "the server does not restart"
  on_machine curl -fsS -o /dev/null --retry 30 --retry-delay 1 --retry-connrefused "$machine_at/readyz" || die "it is not ready after a restart"
  [[ -z $(on_machine systemctl list-units --failed --no-legend 'rummyd*') ]] || die "a unit has failed"
}

prove_machine() {
  local -i began=$SECONDS i
  say "a machine with systemd"
  enter_at / root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install systemd-sysv dbus git >"$root.systemd.log" 2>&1 ||
    die "systemd cannot be installed, see $root.systemd.log"
  enter_at / root systemctl -q mask apt-daily.timer apt-daily-upgrade.timer # they may hold apt's lock
  make_clone "$machine_clone"
  boot_machine
  for ((i = 0; i < machine_boot_s; i++)); do machine_is_up && break; sleep 1; done
  machine_is_up || die "systemd did not come up within $machine_boot_s s, see $root.boot.log"
  run_section 'One machine, without containers' /
  prove_commands
  first_player
  run_section Backups "$machine_clone"
  run_section 'Ledger checks' "$machine_clone"
  switch_off
  say "one machine: every command ran, $((SECONDS - began)) s"
}
