"""Jobs while the machine's clock jumps by hours and days, forward and back: each midnight and each season
is paid once, a clock that was set back is reported, and no table of a live node is mistaken for lost."""

import datetime
import uuid

import pytest
import requests
from support.clock import HOURS
from support.keys import make_key
from support.table import Player


class Jobs:
    """A caller of the jobs with a separate key."""

    def __init__(self, server, cluster):
        self.server, self.promises = server, server.promises
        self.key = make_key(cluster.conninfo(server.database), "jobs")

    def call(self, job, key=None):
        headers = {"Authorization": "Bearer " + self.key, "Idempotency-Key": key or uuid.uuid4().hex}
        return requests.post(f"{self.server.url}/v1/admin/jobs/{job}", headers=headers, timeout=60)

    def done(self, job, key=None):
        answer = self.call(job, key)
        assert answer.status_code == 200 and answer.json()["done"], answer.text
        return answer.json()["result"]

    def refused(self, job):
        """Checks that the job reports that the clock was set back, and changes nothing."""
        before = self.purses()
        answer = self.call(job)
        assert (answer.status_code, answer.json()["code"]) == (409, "clock_set_back"), answer.text
        assert self.purses() == before

    def one(self, question):
        return self.promises.look(question)[0][0]

    def purses(self):
        return self.promises.look("SELECT id, balance FROM accounts ORDER BY id")


@pytest.fixture
def jobs(own_table_server, own_cluster):
    return Jobs(own_table_server, own_cluster)


def test_each_midnight_is_paid_once(jobs, wall_clock):
    players = [Player(jobs.server, f"Player {n}") for n in range(3)]
    born = jobs.one("SELECT local_day(now())")
    jobs.promises.look("UPDATE settings SET value = '1000000' WHERE name LIKE 'silver_cap%%' RETURNING name")
    paid, last = 0, born
    assert jobs.done("daily_bonus")["midnights"] == 0
    furthest = 0
    for hours in (5, -5, 50, 0, 5, 49, 50, 100, 75, 148):
        wall_clock.put(hours * HOURS)
        today = jobs.one("SELECT local_day(now())")
        if hours < furthest:
            jobs.refused("daily_bonus")
            for player in players:  # players who sign in get no bonus for it either
                player.refresh()
        else:
            furthest, key = hours, uuid.uuid4().hex
            due = (today - last).days * len(players)
            assert jobs.done("daily_bonus", key)["midnights"] == due
            paid, last = paid + due, today
            assert jobs.done("daily_bonus", key)["midnights"] == due, "a repeat has its first answer"
            assert jobs.done("daily_bonus")["midnights"] == 0
        assert jobs.one("SELECT count(*) FROM transfers WHERE key LIKE 'daily:%%'") == paid
    assert last - born >= datetime.timedelta(days=6) and paid == (last - born).days * 3


def test_a_call_repeated_after_a_clock_jump_gets_its_first_reply(jobs, wall_clock):
    key = uuid.uuid4().hex
    wall_clock.put(50 * HOURS)
    first = jobs.done("season_rollover", key)
    wall_clock.put(0)
    assert jobs.done("season_rollover", key) == first
    jobs.refused("season_rollover")
    jobs.promises.look(
        "UPDATE jobs SET done_at = now() RETURNING job"
    )  # the operator confirms that this time is correct
    assert jobs.done("season_rollover") == {"seasons": 0}


def test_a_season_ends_once(jobs, wall_clock):
    player = Player(jobs.server)
    jobs.promises.look(
        f"""
        INSERT INTO league_members SELECT {player.id}, 1, no FROM seasons WHERE state = 'open'
            RETURNING player_id"""
    )
    jobs.promises.look(
        f"""
        INSERT INTO league_games SELECT no, {player.id}, 1, 40, 40 * 68, 3 FROM seasons WHERE state = 'open'
            RETURNING player_id"""
    )
    jobs.promises.look(
        f"SELECT make_league_rows(no, ARRAY[{player.id}]::bigint[]) FROM seasons WHERE state = 'open'"
    )
    jobs.promises.look("UPDATE settings SET value = '0' WHERE name = 'prize_people_min' RETURNING name")
    left_s = int(jobs.one("SELECT extract(epoch FROM ends_at - now()) FROM seasons WHERE state = 'open'"))
    gold = jobs.one("SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND currency = 'gold'")

    def ended():
        return jobs.one("SELECT count(*) FROM seasons WHERE state = 'ended'")

    wall_clock.put(left_s - 5 * HOURS)
    assert jobs.done("season_rollover") == {"seasons": 0}
    wall_clock.put(left_s + 5 * HOURS)
    assert jobs.done("season_rollover")["seasons"] == 1
    won = jobs.one("SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND currency = 'gold'") - gold
    assert won > 0, "a prize"
    for hours in (0, -5, 4):
        wall_clock.put(left_s + hours * HOURS)
        jobs.refused("season_rollover")
        jobs.server.kill()
        jobs.server.start()
    for hours in (5, 50):
        wall_clock.put(left_s + hours * HOURS)
        assert jobs.done("season_rollover") == {"seasons": 0}
    assert (
        ended() == 1
        and jobs.one("SELECT count(*) FROM seasons WHERE state = 'open' AND ends_at > now()") == 1
    )
    assert (
        jobs.one("SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND currency = 'gold'") == gold + won
    )


@pytest.mark.parametrize("hours", [5, -5, 50])
def test_tables_of_a_live_node_are_not_treated_as_lost(jobs, wall_clock, hours):
    """The clock jumps between two heartbeats of the live node. A node that never sent a heartbeat loses its
    table once, and the stake is returned once."""
    jobs.promises.look("UPDATE rooms SET fill_wait_ms = 600000 RETURNING id")
    here, lost = Player(jobs.server, "Here"), Player(jobs.server, "Lost")
    had = lost.silver()
    tables = [lost.take_seat()["table_id"]]
    jobs.promises.look("INSERT INTO nodes (name, epoch) VALUES ('lost', 1) RETURNING epoch")
    jobs.promises.look("UPDATE tables SET node = 'lost' WHERE id = %s RETURNING id", tables[0])
    tables.append(here.take_seat()["table_id"])
    assert tables[0] != tables[1]
    assert lost.silver() < had
    wall_clock.put(hours * HOURS)
    assert jobs.done("stale_tables") == {"tables": 1}
    assert jobs.done("stale_tables") == {"tables": 0}
    assert jobs.one(f"SELECT state FROM tables WHERE id = {tables[1]}") == "waiting"
    wall_clock.put(0)
    assert jobs.done("stale_tables") == {"tables": 0}
    assert jobs.promises.look(
        "SELECT count(*) FROM transfers WHERE table_id = %s AND cause = 'refund'", tables[0]
    ) == [(1,)]
    lost.refresh()
    assert lost.silver() == had
