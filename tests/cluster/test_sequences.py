"""Random sequences of cluster faults during play: the long form of test_faults.py, for `make nightly`.

RUMMY_CLUSTER_SEQUENCES=200 RUMMY_CLUSTER_SEED=7 /usr/bin/python3 -m pytest tests/cluster/test_sequences.py -s
"""

import os
import random

import cluster_packets
import pytest

SEQUENCES = int(os.environ.get("RUMMY_CLUSTER_SEQUENCES", "0"))
SEED = int(os.environ.get("RUMMY_CLUSTER_SEED", "0")) or random.SystemRandom().randrange(1, 2**32)
STEPS_MAX = 3
TABLES = 6

pytestmark = pytest.mark.skipif(
    SEQUENCES == 0, reason="takes minutes to hours; RUMMY_CLUSTER_SEQUENCES sets the number"
)

# At most one node and one PostgreSQL at a time: without either, nothing is guaranteed.
NODE = [
    ("kill",),
    ("freeze",),
    ("freeze", "1"),
    ("freeze", "4"),
    ("cut", "db"),
    ("cut", "front"),
    ("cut", "all"),
    ("drain",),
]
if cluster_packets.there():
    NODE += [
        ("cut", "db", "silent"),
        ("cut", "db", "to"),
        ("cut", "front", "from"),
        ("cut", "all", "silent"),
        ("cut", "all", "30%"),
    ]
DATABASE = [
    ("kill", "primary"),
    ("freeze", "primary"),
    ("freeze", "primary", "3"),
    ("kill", "standby"),
    ("freeze", "standby"),
    ("kill", "etcd"),
    ("switchover",),
]
FRONT = [("reload",), ("reload",)]


def sequence(chance, here):
    """Commands of scripts/cluster."""
    kinds = chance.sample(["node", "database", "front"], chance.randint(1, STEPS_MAX))
    node = chance.choice(list(here.all["nodes"]))
    for kind in kinds:
        first, *rest = chance.choice({"node": NODE, "database": DATABASE, "front": FRONT}[kind])
        yield [first, *([node] if kind == "node" else []), *rest]


@pytest.mark.parametrize("n", range(SEQUENCES))
def test_games_survive_a_random_sequence_of_faults(here, n):
    chance = random.Random(SEED * 1000 + n)
    steps = list(sequence(chance, here))
    print(f"\nseed {SEED}, sequence {n}: {', then '.join(' '.join(step) for step in steps)}", flush=True)
    try:
        tables, pause = here.under_play(lambda _: [here.say(*step) for step in steps], tables=TABLES)
        here.sound(tables)
    finally:
        here.say("heal")
    print(f"the next move after {pause:.1f} s at most")
