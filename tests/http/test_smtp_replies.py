"""The meaning of each reply of a mail server: the table of docs/operations.md, executed row by row."""

import pathlib
import re
import time

import pytest
from support.cluster import OWNER, SERVER
from support.metrics import Metrics
from support.server import Server, free_port
from support.smtp import CLOSE, PASSWORD, SILENCE, USER, ScriptedSmtp, make_certificate
from support.wait import HANG_S, PROVIDER_TIMEOUT_MS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = ("connect", "greeting", "ehlo", "starttls", "auth", "mail", "rcpt", "data", "text")
DEEDS = ("sent", "given up", "again", "held")
SECRETS = {"RUMMYD_JWT_SECRET": "0123456789abcdef0123456789abcdef", "RUMMYD_SMTP_PASSWORD": PASSWORD}


def rows():
    """(phase, reply, action) of each row; a multi-line reply has " / " between its lines."""
    found = re.findall(
        r"^\| (\w+) \| (?:`([^|]*)`|\*([^|]*)\*) \| ([\w ]+) \|",
        (ROOT / "docs" / "operations.md").read_text(),
        re.M,
    )
    return [
        (phase, (reply or odd).replace(" / ", "\n"), deed)
        for phase, reply, odd, deed in found
        if phase in PHASES
    ]


ROWS = rows()


class Sender:
    """A server that sends emails to a scripted one, and its database."""

    def __init__(self, cluster, database, folder, smtp, **options):
        self.smtp = smtp
        self.server = Server(
            cluster.conninfo(database, SERVER),
            folder,
            rate_limits="off",
            mail_from="noreply@play.example",
            public_url="https://play.example",
            smtp_user=USER,
            **{"smtp_timeout_ms": PROVIDER_TIMEOUT_MS, "env": SECRETS, **options},
        ).start()
        self.connection = cluster.connect(database, OWNER)
        self.sql("UPDATE settings SET value = '1' WHERE name = 'mail_lease_s'")
        self.tries_again(True)
        self.player = self.sql("SELECT do_create_player('registered', 'Ana', '')")[0][0]

    def sql(self, statement, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def tries_again(self, soon):
        """Retries within a second, or not during this test, because a leftover attempt would use up the
        replies of the next one."""
        self.sql("UPDATE settings SET value = %s WHERE name = 'mail_retry_first_s'", "1" if soon else "3600")

    def put(self):
        return self.sql(
            "SELECT mail_put(%s, 'ana@example.org', 'verify', '{\"token\": \"abc\", \"valid_s\": 60}')",
            self.player,
        )[0][0]

    def mail(self, id):
        return dict(
            zip(
                ("state", "tries", "held", "said"),
                self.sql(
                    "SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'given"
                    " up' ELSE 'due' END, tries, held, said FROM mails WHERE id = %s",
                    id,
                )[0],
            )
        )

    def wait(self, id, want, within=HANG_S):
        until = time.monotonic() + within
        while not want(self.mail(id)):
            assert time.monotonic() < until, self.mail(id)
            time.sleep(0.03)
        return self.mail(id)

    def over(self):
        self.connection.close()
        assert self.server.stop() == 0
        assert "example.org" not in self.server.log() and PASSWORD not in self.server.log()


@pytest.fixture(scope="module")
def plain(cluster, database, tmp_path_factory):
    smtp = ScriptedSmtp()
    it = Sender(
        cluster, database, tmp_path_factory.mktemp("smtp"), smtp, smtp_url=smtp.url, smtp_helo="play.example"
    )
    yield it
    it.over()
    smtp.close()


@pytest.fixture(scope="module")
def with_tls(cluster, tmp_path_factory):
    folder = tmp_path_factory.mktemp("smtp")
    certificate = make_certificate(folder)
    smtp = ScriptedSmtp(certificate)
    it = Sender(
        cluster,
        cluster.new_database(),
        folder,
        smtp,
        smtp_url=smtp.url.replace("127.0.0.1", "0.0.0.0"),
        dev=False,
        smtp_ca_file=certificate.with_suffix(".crt"),
    )
    yield it
    it.over()
    smtp.close()


def log_lines(it):
    return it.server.log().count("mail_server_refuses_us")


def test_the_table_covers_every_phase_and_action():
    assert len(ROWS) == len(set(ROWS)) > 60
    assert {row[0] for row in ROWS} == set(PHASES) and {row[2] for row in ROWS} == set(DEEDS)


@pytest.mark.parametrize("phase,reply,deed", [row for row in ROWS if row[0] != "connect"])
def test_each_reply_has_the_documented_effect(request, phase, reply, deed):
    it = request.getfixturevalue("with_tls" if phase == "starttls" else "plain")
    assert not any(it.smtp.replies.values())
    it.smtp.say(
        phase,
        *[{"connection closed": CLOSE, "no reply": SILENCE}.get(reply, reply)]
        * (2 if phase == "ehlo" else 1),
    )
    passes_next = (
        next(row for row in ROWS if row[::2] == (phase, deed))[1] == reply
    )  # once for each phase and action
    it.tries_again(passes_next)
    mail = it.put()
    first = it.wait(mail, lambda m: m["state"] != "due" or m["said"] is not None)
    it.smtp.replies.clear()
    it.tries_again(True)
    if deed in ("sent", "given up"):
        assert (first["state"], first["tries"], first["held"]) == (deed, 1, 0)
    else:
        assert (first["state"], first["held"]) == ("due", 1 if deed == "held" else 0), first
        if passes_next:
            it.wait(mail, lambda m: m["state"] == "sent")
        assert it.sql(
            "DELETE FROM mails WHERE id = %s RETURNING sent_at IS NOT NULL OR next_try > created_at", mail
        ) == [(True,)]
    if deed != "sent" and reply[:3].isdigit():
        assert first["said"].startswith(reply[:3]) and first["said"].endswith(reply.split(" ")[-1]), first


def test_an_unreachable_server_holds_the_email(cluster, tmp_path):
    it = Sender(cluster, cluster.new_database(), tmp_path, None, smtp_url=f"smtp://127.0.0.1:{free_port()}")
    mail = it.put()
    first = it.wait(mail, lambda m: m["said"] is not None)
    assert (first["state"], first["held"]) == ("due", 1)
    it.over()


def test_held_emails_do_not_count_tries_and_expire_by_age(plain):
    plain.sql("UPDATE settings SET value = '2' WHERE name = 'mail_tries_max'")
    plain.sql("UPDATE settings SET value = '1' WHERE name = 'mail_held_retry_max_s'")
    before = log_lines(plain)
    plain.smtp.say("mail", *["553 5.1.8 sender domain not found"] * 50)
    mail = plain.put()
    plain.wait(mail, lambda m: m["held"] >= 3)
    assert plain.mail(mail)["state"] == "due" and log_lines(plain) == before + 1, (
        "an error once, not for each attempt"
    )
    plain.sql("UPDATE mails SET created_at = now() - interval '3 days' WHERE id = %s", mail)
    assert plain.wait(mail, lambda m: m["state"] == "given up")["said"].startswith("553")
    plain.smtp.replies.clear()
    line = [line for line in plain.server.log().splitlines() if "mail_server_refuses_us" in line][-1]
    assert '"phase":"mail"' in line and '"smtp_code":553' in line and '"smtp_status":"5.1.8"' in line
    assert Metrics(plain.server)['rummyd_mails_total{outcome="held"}'] >= 3


# --- the server's host name ---------------------------------------------------------------------------------


def test_the_configured_name_is_sent_in_ehlo(plain):
    plain.wait(plain.put(), lambda m: m["state"] == "sent")
    assert [line for line in plain.smtp.said_to_us if line.startswith("EHLO")][-1] == "EHLO play.example"


@pytest.mark.parametrize("name", ["[192.0.2.1]", "[IPv6:2001:db8::1]"])
def test_an_address_literal_is_sent_unchanged(cluster, tmp_path, name):
    smtp = ScriptedSmtp()
    it = Sender(cluster, cluster.new_database(), tmp_path, smtp, smtp_url=smtp.url, smtp_helo=name)
    it.wait(it.put(), lambda m: m["state"] == "sent")
    assert f"EHLO {name}" in smtp.said_to_us
    it.over()
    smtp.close()


def test_without_a_configured_name_ehlo_sends_a_full_name_or_an_address(cluster, tmp_path):
    """A relay that requires a fully qualified name gets every email."""
    smtp = ScriptedSmtp()
    it = Sender(cluster, cluster.new_database(), tmp_path, smtp, smtp_url=smtp.url)
    it.wait(it.put(), lambda m: m["state"] == "sent")
    name = next(line for line in smtp.said_to_us if line.startswith("EHLO")).removeprefix("EHLO ")
    assert re.fullmatch(
        r"\[(\d+\.){3}\d+\]|\[IPv6:[0-9a-f:.]+\]|([A-Za-z0-9-]+\.)+[A-Za-z][A-Za-z0-9-]*", name
    ), name
    assert it.server.logged(f'"name":"{name}"')
    it.over()
    smtp.close()
