"""Sending emails: accepted once by a real SMTP server, and kept for later by one that is down, slow, full, or
refuses them."""

import email
import email.policy
import re
import threading
import time

import pytest
from support.cluster import OWNER, ROOT
from support.contract import OPENAPI, Client
from support.smtp import PASSWORD, USER, Smtp, make_certificate
from support.times import promised
from support.wait import HANG_S, until

FROM = "noreply@play.example"


class Post:
    """A server that sends emails, its database, and a player to receive them."""

    def __init__(self, new_server, cluster, smtp, **options):
        options = {
            "smtp_url": smtp and smtp.url,
            "mail_from": FROM,
            "public_url": "https://play.example",
            "rate_limits": "off",
            "smtp_timeout_ms": 5000,
            **options,
        }
        self.server = new_server(**options)
        self.connection = cluster.connect(self.server.database, OWNER)
        self.sql("UPDATE settings SET value = '1' WHERE name = 'mail_retry_first_s'")
        self.player = int(self.sql("SELECT do_create_player('registered', 'Ana', '')")[0][0])

    def sql(self, statement, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def put(self, address="ana@example.org", token="abc"):
        return self.sql(
            "SELECT mail_put(%s, %s, 'verify', jsonb_build_object('token', %s, 'valid_s', 60))",
            self.player,
            address,
            token,
        )[0][0]

    def state(self, mail):
        return self.sql(
            "SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'given_up' ELSE"
            " 'due' END, tries, said FROM mails WHERE id = %s",
            mail,
        )[0]

    def nothing_more(self, smtp, n):
        """Checks that only n emails were sent: an email queued now is the next one."""
        assert self.sql("SELECT count(*) FROM mails WHERE sent_at IS NULL AND failed_at IS NULL") == [(0,)]
        self.wait(self.put("marker@example.org"), "sent")
        assert [mail.recipients == ["marker@example.org"] for mail in smtp.wait(n + 1)] == [False] * n + [
            True
        ]

    def wait(self, mail, state, within=HANG_S):
        until = time.monotonic() + within
        while self.state(mail)[0] != state and time.monotonic() < until:
            time.sleep(0.05)
        assert self.state(mail)[0] == state, self.state(mail)
        return self.state(mail)[1:]


@pytest.fixture
def post(new_server, cluster):
    made = []

    def make(smtp, **options):
        made.append(Post(new_server, cluster, smtp, **options))
        return made[-1]

    yield make
    for it in made:
        it.connection.close()


@pytest.fixture
def new_smtp():
    made = []

    def make(**options):
        made.append(Smtp(**options))
        return made[-1]

    yield make
    for it in made:
        it.close()


def test_a_registration_sends_one_email_with_a_link(post, new_smtp):
    smtp = new_smtp()
    it = post(smtp)
    Client(it.server).register("Mia@Example.org")
    (mail,) = smtp.wait(1)
    assert (mail.sender, mail.recipients) == (FROM, ["mia@example.org"])
    assert mail["To"] == "mia@example.org" and mail["From"].addresses[0].addr_spec == FROM
    assert mail["From"].addresses[0].display_name == "Rummy"
    assert mail["Subject"] == "Confirm your email address"
    assert mail["Auto-Submitted"] == "auto-generated" and mail["Content-Language"] == "en"
    assert re.fullmatch(r"<[0-9a-f-]{36}@play\.example>", mail["Message-ID"])
    assert abs(mail["Date"].datetime.timestamp() - time.time()) < 60
    (token,) = re.findall(
        r"^https://play\.example/verify#([0-9a-f]{64})$", mail.get_content().replace("\r", ""), re.M
    )
    it.wait(1, "sent")
    assert it.sql("SELECT data, tries FROM mails") == [({}, 1)], "the link was removed from the outbox"
    it.nothing_more(smtp, 1)
    assert token not in it.server.log() and "example.org" not in it.server.log()


def template(language, name):
    """The subject and the paragraphs of a template."""
    text = (ROOT / "mail/templates" / language / f"{name}.txt").read_text(encoding="utf-8")
    subject, *paragraphs = text.strip().split("\n\n")
    return subject.removeprefix("Subject: "), paragraphs


def test_emails_in_each_language_arrive_whole_in_short_ascii_lines(post, new_smtp):
    smtp = new_smtp()
    it = post(smtp)
    for n, language in enumerate(OPENAPI["components"]["schemas"]["Language"]["enum"], 1):
        subject, (_, sentence, *_) = template(language, "verify")
        it.sql("UPDATE players SET language = %s WHERE id = %s", language, it.player)
        it.put(token="0" * 64)
        mail = smtp.wait(n)[-1]
        assert (mail["Subject"], mail["Content-Language"]) == (subject, language)
        assert (
            mail["Content-Transfer-Encoding"] == "quoted-printable" and mail.get_content_charset() == "utf-8"
        )
        body = mail.get_content().replace("\r", "")
        sentence = sentence.replace("{{site}}", "https://play.example")
        assert f"{sentence}\n\nhttps://play.example/verify#{'0' * 64}\n" in body and "{{" not in body
        raw = mail.raw.replace(b"\r\n", b"\n")
        assert raw.isascii() and b"\r" not in raw and max(map(len, raw.split(b"\n"))) <= 76
        (header,) = re.findall(rb"^Subject: (.*(?:\n .*)*)", raw, re.M)
        encoded = header.startswith(b"=?UTF-8?B?")
        assert encoded != subject.isascii() and all(len(word) <= 75 for word in header.split() if encoded)
        assert not mail.defects and not mail["Subject"].defects


def test_an_unavailable_server_gets_the_email_later(post, new_smtp):
    smtp = new_smtp()
    smtp.close()
    it = post(smtp)
    mail = it.put()
    until = time.monotonic() + HANG_S
    while it.state(mail)[1] < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert it.state(mail)[0] == "due" and "connect" in it.state(mail)[2].lower()
    again = Smtp(port=smtp.port)
    try:
        again.wait(1)
        tries, said = it.wait(mail, "sent")
        assert tries >= 2 and said is None  # the second may be in transit while the server starts
        it.nothing_more(again, 1)
    finally:
        again.close()


@pytest.mark.parametrize("place", ["at_rcpt", "at_data"])
def test_a_temporary_refusal_is_retried(post, new_smtp, place):
    smtp = new_smtp()
    getattr(smtp, place).append("451 4.7.1 greylisted")
    it = post(smtp)
    mail = it.put()
    first = smtp.wait(1)[0]
    assert it.wait(mail, "sent") == (2, None)
    assert first.recipients == ["ana@example.org"]
    it.nothing_more(smtp, 1)


@pytest.mark.parametrize("place", ["at_rcpt", "at_data"])
def test_a_permanent_refusal_is_given_up_and_the_next_email_is_sent(post, new_smtp, place):
    smtp = new_smtp()
    getattr(smtp, place).append("550 5.1.1 no such user")
    it = post(smtp)
    bad, good = it.put("nobody@example.org"), it.put("ana@example.org")
    assert it.wait(bad, "given_up") == (1, "550 5.1.1 no such user")
    it.wait(good, "sent")
    assert [mail.recipients for mail in smtp.wait(1)] == [["ana@example.org"]]
    assert it.sql("SELECT data FROM mails WHERE id = %s", bad) == [({},)]
    assert it.server.logged('"smtp_code":550') and "example.org" not in it.server.log()


def test_the_number_of_tries_is_limited(post, new_smtp):
    smtp = new_smtp()
    smtp.at_rcpt += ["451 later"] * 9
    it = post(smtp)
    it.sql("UPDATE settings SET value = '3' WHERE name = 'mail_tries_max'")
    it.sql("UPDATE settings SET value = '1' WHERE name = 'mail_retry_max_s'")
    mail = it.put()
    assert it.wait(mail, "given_up") == (3, "451 later")
    smtp.at_rcpt.clear()
    it.nothing_more(smtp, 0)


def test_an_invalid_email_is_given_up_and_sends_nothing(post, new_smtp):
    smtp = new_smtp()
    it = post(smtp)
    bad = [
        it.put("ana@example.org>\r\nRCPT TO:<eve@example.org"),
        it.put("ana@example.org\nBcc: eve@example.org"),
        it.put(token="x\r\n\r\nyours"),
        it.put("a b@example.org"),
        it.put("ana"),
        it.sql("SELECT mail_put(%s, 'ana@example.org', 'no_such', '{}')", it.player)[0][0],
    ]
    for mail in bad:
        it.wait(mail, "given_up")
    it.put()
    assert [mail.recipients for mail in smtp.wait(1)] == [["ana@example.org"]]


def test_tls_is_required_except_for_local_servers(post, new_smtp, tmp_path):
    """0.0.0.0 is not listed as a local address, but still leads to this machine."""
    plain = new_smtp()
    secret = {"RUMMYD_JWT_SECRET": "0123456789abcdef0123456789abcdef"}
    it = post(plain, smtp_url=plain.url.replace("127.0.0.1", "0.0.0.0"), dev=False, env=secret)
    mail = it.put()
    until = time.monotonic() + HANG_S
    while it.state(mail)[1] < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert it.state(mail)[0] == "due" and plain.mails == []
    assert "SSL" in it.state(mail)[2], it.state(mail)


@pytest.mark.parametrize("tls", ["smtps", "starttls"])
def test_tls_with_and_without_authentication(post, new_smtp, tmp_path, tls):
    certificate = make_certificate(tmp_path)
    smtp = new_smtp(tls=tls, certificate=certificate, login=tls == "starttls")
    secret = {"RUMMYD_JWT_SECRET": "0123456789abcdef0123456789abcdef", "RUMMYD_SMTP_PASSWORD": PASSWORD}
    it = post(
        smtp,
        smtp_url=smtp.url.replace("127.0.0.1", "0.0.0.0"),
        dev=False,
        env=secret,
        smtp_user=USER,
        smtp_ca_file=certificate.with_suffix(".crt"),
    )
    it.wait(it.put(), "sent")
    assert smtp.logins == ([(USER, PASSWORD)] if tls == "starttls" else [])
    assert PASSWORD not in it.server.log()


def test_a_server_with_an_untrusted_certificate_gets_nothing(post, new_smtp, tmp_path):
    smtp = new_smtp(tls="smtps", certificate=make_certificate(tmp_path))
    it = post(smtp)
    mail = it.put()
    until = time.monotonic() + HANG_S
    while it.state(mail)[1] < 1 or it.state(mail)[2] is None:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert it.state(mail)[0] == "due" and "cert" in it.state(mail)[2].lower() and smtp.mails == []


def test_a_wrong_smtp_password_keeps_the_email(post, new_smtp, tmp_path):
    certificate = make_certificate(tmp_path)
    smtp = new_smtp(tls="starttls", certificate=certificate, login=True)
    password = tmp_path / "password"
    password.write_text("wrong\n")
    it = post(smtp, smtp_user=USER, smtp_password_file=password, smtp_ca_file=certificate.with_suffix(".crt"))
    mail = it.put()
    until = time.monotonic() + HANG_S
    while it.state(mail)[2] is None:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert it.state(mail)[0] == "due" and it.state(mail)[2].startswith("535"), it.state(mail)
    assert smtp.logins[0] == (USER, "wrong") and smtp.mails == []


def test_a_slow_server_gets_the_same_email_again(post, new_smtp):
    """Whether it accepted the first one is unknown: the repeat has the same Message-ID."""
    smtp = new_smtp()
    smtp.at_data.append(lambda: time.sleep(3))  # lapse: longer than smtp_timeout_ms
    it = post(smtp, smtp_timeout_ms=1000)
    mail = it.put()
    tries, _ = it.wait(mail, "sent")
    assert tries >= 2 and "nothing was heard in time" not in it.server.log()
    assert len({mail["Message-ID"] for mail in smtp.wait(2)}) == 1


def test_a_kill_between_sending_and_recording_sends_the_email_again(post, new_smtp):
    smtp = new_smtp()
    it = post(smtp)
    taken, killed = threading.Event(), threading.Event()

    def hold():
        taken.set()
        killed.wait(HANG_S)

    smtp.at_data.append(hold)
    mail = it.put()
    assert taken.wait(HANG_S)
    it.server.kill()
    killed.set()
    smtp.wait(1)
    assert it.state(mail)[:2] == ("due", 1)
    it.sql("UPDATE mails SET next_try = now() WHERE id = %s", mail)  # the lease ends
    it.server.start()
    assert it.wait(mail, "sent") == (2, None)
    mails = smtp.wait(2)
    assert len(mails) == 2 and len({each["Message-ID"] for each in mails}) == 1
    assert mails[0].raw == mails[1].raw, "the same to the last byte"
    it.nothing_more(smtp, 2)


def test_two_servers_send_each_email_once(post, new_smtp, new_server):
    smtp = new_smtp()
    it = post(smtp)
    options = {**it.server.options, "node": "n2"}
    del options["http_port"], options["ws_port"], options["db"], options["state_dir"]
    other = type(it.server)(it.server.options["db"], it.server.folder, **options).start()
    try:
        it.sql(
            "SELECT mail_put(%s, 'm' || n || '@example.org', 'verify', '{\"token\": \"x\", \"valid_s\": 60}')"
            " FROM generate_series(1, 40) n",
            it.player,
        )
        smtp.wait(40)
        until(lambda: it.sql("SELECT count(*) FROM mails WHERE sent_at IS NOT NULL") == [(40,)])
        assert len({mail.recipients[0] for mail in smtp.mails}) == 40
        it.nothing_more(smtp, 40)
    finally:
        assert other.stop() == 0


def test_without_a_server_emails_are_written_to_files(post):
    it = post(None)
    mail = it.put()
    it.wait(mail, "sent")
    (file,) = (it.server.folder / "mail").iterdir()
    assert file.suffix == ".eml" and file.stat().st_mode & 0o777 == 0o600
    written = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert written["To"] == "ana@example.org" and "https://play.example/verify#abc" in written.get_content()


def test_a_stop_does_not_wait_for_a_hanging_server(post, new_smtp):
    smtp = new_smtp()
    taken, over = threading.Event(), threading.Event()
    smtp.at_data.append(lambda: (taken.set(), over.wait(HANG_S)))
    it = post(smtp, smtp_timeout_ms=60000)
    it.put()
    assert taken.wait(HANG_S)
    began = time.monotonic()
    assert it.server.stop() == 0
    promised("a stop while a mail server hangs", time.monotonic() - began, 8)
    over.set()
