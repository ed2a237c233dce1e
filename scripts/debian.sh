# shellcheck shell=bash
# A Debian 12 that has nothing but its base, for scripts/prove-clean and scripts/prove-image. Sourced; the caller
# has die() and is root.

# What reaches the network from this machine: resolv.conf, hosts, certificates, proxy and npm settings.
bring_network() { # to which root
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/npmrc /etc/pip.conf \
    ~/.npmrc ~/.config/pip/pip.conf /usr/local/share/ca-certificates/*.crt /etc/apt/apt.conf.d/*proxy*; do
    [[ -f $file ]] || continue
    mkdir -p "$1$(dirname "$file")"
    cp -L "$file" "$1$file"
  done
}

make_debian() { # where; once
  [[ ! -x $1/bin/sh ]] || return 0
  command -v debootstrap >/dev/null || die "the Debian package debootstrap is missing"
  mkdir -p "$1"
  debootstrap --variant=minbase bookworm "$1" >"$1.log" 2>&1 || die "debootstrap failed, see $1.log"
}
