"""A node that players cannot reach, although it has its database and its lease: reachable nodes take over
its tables."""

import asyncio
import contextlib
import threading
import time

import pytest
from rig import Going, acked_stand
from support.metrics import wait_for
from support.server import free_port
from support.wait import HANG_S

TABLES = 4


class Proxy:
    """A proxy in front of a node's sockets that can be closed and reopened."""

    def __init__(self):
        self.port, self.node_behind, self.lines = free_port(), None, set()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = None
        self.open()

    def do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(HANG_S)

    def open(self):
        self.server = self.do(asyncio.start_server(self.lead, "localhost", self.port))

    async def lead(self, reader, writer):
        self.lines.add(writer)
        with contextlib.suppress(OSError):
            there, to = await asyncio.open_connection("localhost", self.node_behind)
            self.lines.add(to)
            await asyncio.gather(self.pump(reader, to), self.pump(there, writer), return_exceptions=True)
        writer.close()

    async def pump(self, source, sink):
        while data := await source.read(65536):
            sink.write(data)
        sink.close()

    def shut(self):
        self.do(self.end())

    async def end(self):
        self.server.close()
        for line in self.lines:
            line.transport.abort()
        self.lines.clear()

    def close(self):
        self.shut()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(HANG_S)


@pytest.fixture
def proxies():
    it = [Proxy(), Proxy()]
    yield it
    for proxy in it:
        proxy.close()


def node_behind_proxy(nodes, name, proxy):
    """A node that advertises this proxy's address to players."""
    node = nodes.make(name, ws_url=f"ws://localhost:{proxy.port}")
    proxy.node_behind = node.ws_port
    return node.start()


def until_states(nodes, **states):
    until = time.monotonic() + 60
    while (seen := dict(nodes.look("SELECT node, state FROM node_leases"))) != states:
        assert time.monotonic() < until, seen
        time.sleep(0.2)


def until_renewed(nodes, n):
    """Waits until each node has renewed its lease n more times, and has acted on its state each time."""

    def renewals():
        return dict(nodes.look("SELECT node, renewals FROM node_leases"))

    before, until = renewals(), time.monotonic() + 60
    while any(now < before[node] + n for node, now in renewals().items()):
        assert time.monotonic() < until, (before, renewals())
        time.sleep(0.1)


def until_at(nodes, tables, where):
    until = time.monotonic() + 60
    while (seen := at(nodes, tables)) != where:
        assert time.monotonic() < until, seen
        time.sleep(0.1)


def at(nodes, tables):
    return [nodes.look("SELECT node FROM tables WHERE id = %s", int(table.table))[0][0] for table in tables]


def test_other_nodes_take_the_tables_of_an_unreachable_node(nodes, proxies):
    n1 = node_behind_proxy(nodes, "n1", proxies[0])
    tables = [Going(n1) for _ in range(TABLES)]
    n2 = node_behind_proxy(nodes, "n2", proxies[1])
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)

    async def play():
        over = threading.Event()
        games = [asyncio.create_task(table.play(lambda _: over.is_set())) for table in tables]
        while min(len(table.acked_at) for table in tables) < 2:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(proxies[0].shut)
        shut = time.monotonic()
        # Acknowledgments sent before the proxy was closed may be read later, so query where the tables are.
        while any(
            node == "n1" for node in await asyncio.to_thread(at, nodes, [t for t in tables if not t.over])
        ):
            assert time.monotonic() < shut + 60, n1.log()[-3000:]
            await asyncio.sleep(0.1)
        taken = time.monotonic()
        while not all(table.over or any(moved > taken for moved in table.acked_at) for table in tables):
            assert time.monotonic() < taken + 60, n1.log()[-3000:]
            await asyncio.sleep(0.1)
        over.set()
        await asyncio.gather(*games)

    asyncio.run(play())
    at_play = [table for table in tables if not table.over]
    assert at_play and at(nodes, at_play) == ["n2"] * len(at_play)
    assert acked_stand(nodes, tables) > 0
    until_states(nodes, n1="unreached", n2="ready")
    wait_for(n1, lambda seen: seen["rummyd_node_unreached"] == 1)
    assert Going(n1).ws_url.startswith(f"ws://localhost:{proxies[1].port}/"), (
        "new tables are opened on reachable nodes"
    )
    proxies[0].open()
    until_states(nodes, n1="ready", n2="ready")
    wait_for(n1, lambda seen: seen["rummyd_node_unreached"] == 0)
    for word in ("node_unreached", "node_reached"):
        assert n1.logged(f'"{word}"') and n1.log().count(f'"{word}"') == 1 and word not in n2.log()


def test_the_last_node_takes_all_tables_even_if_unreachable(nodes, proxies):
    n1, n2 = (node_behind_proxy(nodes, name, proxy) for name, proxy in zip(("n1", "n2"), proxies))
    wait_for(n2, lambda seen: seen["rummyd_nodes"] == 2)
    proxies[0].shut()
    until_states(nodes, n1="unreached", n2="ready")
    table = Going(n2)
    assert at(nodes, [table]) == ["n2"]
    n2.kill()
    until_states(nodes, n1="ready", n2="gone")
    until_at(nodes, [table], ["n1"])
    assert n1.logged('"node_reached"')


def test_tables_stay_where_they_are_if_no_node_is_reachable(nodes, proxies):
    n1, n2 = (node_behind_proxy(nodes, name, proxy) for name, proxy in zip(("n1", "n2"), proxies))
    for node in (n1, n2):
        wait_for(node, lambda seen: seen["rummyd_nodes"] == 2)
    tables = [Going(node) for node in (n1, n2)]
    for proxy in proxies:
        proxy.shut()
    until_states(nodes, n1="unreached", n2="unreached")
    until_renewed(nodes, 3)  # the node that noticed first may still be handing over its tables
    where = at(nodes, tables)
    until_renewed(nodes, 3)
    assert at(nodes, tables) == where and at(nodes, [Going(n1)]) == ["n1"], "a table is opened all the same"
    proxies[1].open()
    until_states(nodes, n1="unreached", n2="ready")
    until_at(nodes, tables, ["n2", "n2"])
