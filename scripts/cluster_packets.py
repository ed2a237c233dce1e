"""Ways on which packets vanish, as in a network that breaks: nobody is told, unlike at a door of a proxy that
is shut. Rules of nftables for scripts/cluster, in a table that is named after the cluster's port; root alone
may make them."""

import os
import re
import shutil
import subprocess

from cluster_processes import Refused

HOW = re.compile(r"silent|to|from|([1-9][0-9]?)%")


def nft(text):
    """What it complains of; "" when it did it."""
    return subprocess.run(
        ["/usr/sbin/nft", "-f", "-"], input=text, capture_output=True, text=True, check=False
    ).stderr


def there():
    return os.geteuid() == 0 and shutil.which("/usr/sbin/nft") is not None


def table_of(cluster):
    return f"inet rummyd_{cluster.port('play')}"


def rules(near, far, how):
    """near: ports where the node listens; far: those it connects to. `to` and `from` are seen from the
    node."""
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
    """From now on packets of the node vanish."""
    if not there():
        raise Refused("only root can let packets vanish, by nft (package nftables)")
    node = cluster.all["nodes"][name]
    near = [node["http"], node["ws"]] if ways in ("front", "all") else []
    far = [node["db"]] if ways in ("db", "all") else []
    keep(cluster, name)
    lines = ["type filter hook input priority 0;", *rules(near, far, how)]
    complaint = nft("\n".join([f"table {table_of(cluster)} {{", f"chain {name} {{", *lines, "}", "}", ""]))
    if complaint:
        raise Refused(f"nft says: {complaint.strip().splitlines()[0]}")


def keep(cluster, name=None):
    """None vanish any more, of the node or of anybody."""
    if there():
        nft(f"delete chain {table_of(cluster)} {name}\n" if name else f"delete table {table_of(cluster)}\n")
