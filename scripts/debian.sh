# shellcheck shell=bash
# A bare Debian for scripts/prove-clean, scripts/prove-ci, and scripts/prove-image. Sourced from the root of the clone;
# the caller has die() and is root. Slow downloads are kept in var/prove/SUITE: the base in base.tar, and in
# apt/ every package that was ever downloaded.

base_days_max=30 # after this, the base is rebuilt with current packages

# Copies the network configuration of this machine: resolv.conf, hosts, certificates, and the settings of
# proxies, npm, and pip.
bring_network() { # target root
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/npmrc /etc/pip.conf \
    ~/.npmrc ~/.config/pip/pip.conf /usr/local/share/ca-certificates/*.crt /etc/apt/apt.conf.d/*proxy*; do
    [[ -f $file ]] || continue
    mkdir -p "$1$(dirname "$file")"
    cp -L "$file" "$1$file"
  done
}

# A clean environment, except for network settings.
clear_env() { # home → $cleared, a command prefix
  local keep=() name
  while read -r name; do keep+=("$name=${!name}"); done < <(compgen -e | grep -Ei '_proxy$|cert|ca_bundle|cainfo|^npm_config_|^pip_' || true)
  # shellcheck disable=SC2034 # for the caller
  cleared=(env -i --default-signal=INT PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$1" TERM=dumb
    "${keep[@]}")
}

# Must be called in a mount namespace, which ends with the proof.
mount_debian() { # root, downloaded packages
  mount -t proc proc "$1/proc"
  mount -t sysfs -o ro sysfs "$1/sys"
  mount --bind /dev "$1/dev"
  mount -t tmpfs tmpfs "$1/dev/shm"
  mount -t devpts devpts "$1/dev/pts"
  mount --bind "$2" "$1/var/cache/apt/archives"
}

# Holds a lock, because two proofs may need the same base.
fetch_base() { # suite
  local place=$PWD/var/prove/$1 fresh
  mkdir -p "$place/apt"
  exec 8>"$place/lock"
  flock 8
  if [[ -z $(find "$place/base.tar" -mtime "-$base_days_max" 2>/dev/null) ]]; then
    command -v debootstrap >/dev/null || die "the Debian package debootstrap is missing"
    fresh=$(mktemp -d "$place/base-XXXXXX")
    chmod 755 "$fresh"
    debootstrap --variant=minbase --cache-dir="$place/apt" "$1" "$fresh" >"$place/debootstrap.log" 2>&1 ||
      die "debootstrap failed, see $place/debootstrap.log and $fresh/debootstrap/debootstrap.log"
    # debootstrap may leave its /proc mounted, whose files belong to this machine.
    ! mountpoint -q "$fresh/proc" || umount "$fresh/proc" || die "cannot unmount $fresh/proc"
    ! mountpoint -q "$fresh/sys" || umount "$fresh/sys" || die "cannot unmount $fresh/sys"
    tar -C "$fresh" --one-file-system -cf "$place/base.tar.part" . && mv "$place/base.tar.part" "$place/base.tar"
    rm -rf --one-file-system "$fresh"
  fi
  flock -u 8
}

make_debian() { # suite, target: a folder that does not exist, or is empty
  fetch_base "$1"
  mkdir -p "$2"
  tar -C "$2" -xf "$PWD/var/prove/$1/base.tar" || die "the disk may be full: cannot unpack a Debian in $2"
}
