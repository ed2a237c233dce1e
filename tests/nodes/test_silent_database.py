"""A PostgreSQL that no longer responds while its connections stay up: it is frozen behind a proxy that keeps
them open, as HAProxy does after a reload. No keepalive detects that; each statement's own timeout does."""

import asyncio
import threading
import time

import pytest
from rig import Going, acked_stand
from support.cluster import SERVER
from support.wait import HANG_S


class Proxy:
    """A socket in front of PostgreSQL's socket."""

    def __init__(self, folder, host, port):
        self.behind, self.address = f"{host}/.s.PGSQL.{port}", folder / f".s.PGSQL.{port}"
        self.loop = asyncio.new_event_loop()
        self.leads = [True]  # state of the connections opened from now on
        self.all_silent = False
        up = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(up,), daemon=True)
        self.thread.start()
        assert up.wait(10)

    def run(self, up):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(asyncio.start_unix_server(self.lead, self.address))
        up.set()
        self.loop.run_forever()
        leading = asyncio.all_tasks(self.loop)
        for one in leading:
            one.cancel()
        self.loop.run_until_complete(asyncio.gather(*leading, return_exceptions=True))
        self.loop.close()

    async def lead(self, reader, writer):
        leads = self.leads
        there, to = await asyncio.open_unix_connection(self.behind)

        async def pump(source, sink):
            while data := await source.read(65536):
                if leads[0] and not self.all_silent:
                    sink.write(data)
            sink.close()

        await asyncio.gather(pump(reader, to), pump(there, writer), return_exceptions=True)

    def silence(self):
        """Discards data on the open connections; new connections are passed on."""
        self.leads[0] = False
        self.leads = [True]

    def silence_all(self):
        """The same for new connections."""
        self.all_silent = True

    def speak(self):
        """New connections are passed on again; discarded data is lost."""
        self.silence()
        self.all_silent = False

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(HANG_S)


@pytest.fixture
def proxy(cluster, tmp_path):
    host, port = (word.partition("=")[2] for word in cluster.base.split()[:2])
    it = Proxy(tmp_path, host, port)
    yield it
    it.close()


def test_lost_statements_are_retried_on_another_connection(nodes, proxy):
    conninfo = nodes.cluster.conninfo(nodes.database, SERVER).split()
    n1 = nodes.make("n1", db=" ".join([f"host={proxy.address.parent}", *conninfo[1:]])).start()
    table = Going(n1)

    async def play():
        game = asyncio.create_task(table.play(lambda _: False))
        while len(table.acked_at) < 3:
            await asyncio.sleep(0.02)
        proxy.silence()
        silent = time.monotonic()
        while not any(
            at > silent + 5 for at in table.acked_at
        ):  # moves pending at that time may still be acknowledged
            assert time.monotonic() < silent + 60, n1.log()[-3000:]
            assert not game.done(), n1.log()[-6000:]
            await asyncio.sleep(0.1)
        game.cancel()

    asyncio.run(play())
    assert acked_stand(nodes, [table]) == len(table.acks) > 3
    assert n1.logged('"event":"database_silent"')
