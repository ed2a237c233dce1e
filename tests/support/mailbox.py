"""Emails that a server without SMTP writes to files, as their recipients would read them."""

import email
import email.policy
import functools
import os
import re
import time

import psycopg2

from .wait import HANG_S, until


@functools.cache
def parsed(path, written_ns):
    """Parses the email in a file. Each address of a server has a mailbox, and all mailboxes read the same
    files."""
    with open(path, "rb") as file:
        return email.message_from_bytes(file.read(), policy=email.policy.default)


class Mailbox:
    """The emails to one address. Each is returned once, by the first call after its arrival."""

    def __init__(self, server, address):
        self.folder, self.address, self.server = server.folder / "mail", address.lower(), server
        # names of files already read, including those to other addresses; files never change
        self.read = set()

    def new(self):
        unread = []
        if self.folder.exists():
            with os.scandir(self.folder) as files:
                unread = [
                    (file.stat().st_mtime_ns, file.path, file.name)
                    for file in files
                    if file.name.endswith(".eml") and file.name not in self.read
                ]
        self.read.update(name for _, _, name in unread)
        mails = [parsed(path, written_ns) for written_ns, path, _ in sorted(unread)]
        return [mail for mail in mails if mail["To"] == self.address]

    def subjects(self, n, within=HANG_S):
        """Sorted subjects of the next n emails, or of those that arrive before the timeout."""
        deadline = time.monotonic() + within
        found = []
        while len(found) < n and time.monotonic() < deadline:
            found += [mail["Subject"] for mail in self.new()]
            time.sleep(0.02)
        return sorted(found)

    def wait(self, subject, within=HANG_S):
        """Waits for the only new email, which must have this subject, and returns it."""
        deadline = time.monotonic() + within
        found = []
        while not found and time.monotonic() < deadline:
            found = self.new()
            time.sleep(0.02)
        assert [mail["Subject"] for mail in found] == [subject], (
            self.address,
            [mail["Subject"] for mail in found],
        )
        return found[0]

    def link(self, subject):
        """The token in the email's link."""
        return token_of(self.wait(subject))

    def nothing(self):
        """Waits until no email is left to send; fails if a new one has arrived."""
        until(lambda: due(self.server) == 0, "emails are due that are not sent")
        assert [mail["Subject"] for mail in self.new()] == []


def due(server):
    """Number of emails that the server still has to send."""
    connection = psycopg2.connect(server.owner_db)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM mails WHERE sent_at IS NULL AND failed_at IS NULL")
            return cursor.fetchone()[0]
    finally:
        connection.close()


def token_of(mail):
    (token,) = re.findall(
        r"/(?:verify|reset|undo|unlock)#([0-9a-f]{64})$", mail.get_content().replace("\r", ""), re.M
    )
    return token


VERIFY = "Confirm your email address"
RESET = "Choose a new password"
LOCKED = "Your account is locked"
PASSWORD_CHANGED = "Your password was changed"
WAYS_REMOVED = "Ways to sign in were removed from your account"
CHANGE = "Confirm your new email address"
CHANGED = "Your email address was changed"
IN_USE = "Someone tried to use your email address"
