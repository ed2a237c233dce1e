"""Drops packets, as a failing network does: neither side gets an error, unlike when a proxy refuses
connections. nftables rules for scripts/cluster, in a table named after the cluster's port; needs root."""

import os
import re
import shutil
import subprocess

from cluster_processes import Refused

HOW = re.compile(r"silent|to|from|([1-9][0-9]?)%")


def nft(text):
    """Runs nft; returns its error output, or "" on success."""
    return subprocess.run(
        ["/usr/sbin/nft", "-f", "-"], input=text, capture_output=True, text=True, check=False
    ).stderr


def there():
    return os.geteuid() == 0 and shutil.which("/usr/sbin/nft") is not None


def table_of(cluster):
    return f"inet rummyd_{cluster.port('play')}"


def rules(near, far, how):
    """near: ports on which the node listens; far: ports to which it connects. `to` and `from` are relative
    to the node."""
    chance = f"numgen random mod 100 < {how[:-1]} " if how.endswith("%") else ""
    directions = ("to", "from") if how == "silent" or chance else (how,)
    for direction in directions:
        for ports, end in (
            (near, "dport" if direction == "to" else "sport"),
            (far, "sport" if direction == "to" else "dport"),
        ):
            if ports:
                yield f"tcp {end} {{ {', '.join(map(str, ports))} }} {chance}drop"


def lose(cluster, name, ways, how):
    """Starts dropping packets of the node."""
    if not there():
        raise Refused("only root can drop packets, with nft (package nftables)")
    node = cluster.all["nodes"][name]
    near = [node["http"], node["ws"]] if ways in ("front", "all") else []
    far = [node["db"]] if ways in ("db", "all") else []
    keep(cluster, name)
    lines = ["type filter hook input priority 0;", *rules(near, far, how)]
    complaint = nft("\n".join([f"table {table_of(cluster)} {{", f"chain {name} {{", *lines, "}", "}", ""]))
    if complaint:
        raise Refused(f"nft reports: {complaint.strip().splitlines()[0]}")


def keep(cluster, name=None):
    """Stops dropping packets of the node, or of all nodes."""
    if there():
        nft(f"delete chain {table_of(cluster)} {name}\n" if name else f"delete table {table_of(cluster)}\n")
