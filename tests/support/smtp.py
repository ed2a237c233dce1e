"""An SMTP server (aiosmtpd) that keeps what it is given, and misbehaves on demand.

    smtp = Smtp()                                 # listens on a port of its own; smtp.url
    smtp.at_rcpt.append("550 5.1.1 nobody here")  # the next recipient is answered with this
    smtp.at_data.append("451 later")              # and so is the next text; a function is called before a mail that was taken is answered
    mail = smtp.wait(1)[0]                        # email.message.EmailMessage, with .recipients
"""

import email
import email.policy
import ssl
import subprocess
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from .server import free_port

USER, PASSWORD = "rummyd", "a password of the mail server"


def make_certificate(folder, name="localhost"):
    """A self-signed certificate for 127.0.0.1, 0.0.0.0 and localhost: its file, which holds the key too."""
    path = folder / f"{name}.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:0.0.0.0",
                    "-keyout", path, "-out", path.with_suffix(".crt")], check=True, stderr=subprocess.DEVNULL)
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


class Smtp:
    def __init__(self, port=None, certificate=None, tls=None, login=False):
        """tls: "smtps" or "starttls" with this certificate; None: plain. login: nobody sends without."""
        self.port = port or free_port()
        self.mails, self.at_rcpt, self.at_data, self.seen = [], [], [], threading.Condition()
        self.logins = []
        options = {}
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            options = {"ssl_context": context} if tls == "smtps" else {"tls_context": context, "require_starttls": True}
        if login:
            options |= {"authenticator": self._login, "auth_required": True, "auth_require_tls": tls == "starttls"}
        self.url = f"{'smtps' if tls == 'smtps' else 'smtp'}://127.0.0.1:{self.port}"
        self.controller = Controller(self, hostname="0.0.0.0", port=self.port, server_hostname="mail.test",
                                     ready_timeout=10, **options)
        self.controller.start()

    def close(self):
        if self.controller:
            self.controller.stop()
        self.controller = None

    def _login(self, server, session, envelope, mechanism, data):
        given = (data.login.decode(), data.password.decode())
        self.logins.append(given)
        return AuthResult(success=given == (USER, PASSWORD), handled=False)

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = self.at_rcpt.pop(0) if self.at_rcpt else None
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        mail.sender, mail.recipients, mail.raw = envelope.mail_from, envelope.rcpt_tos, envelope.content
        doing = self.at_data.pop(0) if self.at_data else None
        if isinstance(doing, str):
            return doing
        with self.seen:
            self.mails.append(mail)
            self.seen.notify_all()
        if doing:
            await server.loop.run_in_executor(None, doing)
        return "250 OK"

    def wait(self, n, within=15):
        """The mails, once there are n."""
        with self.seen:
            assert self.seen.wait_for(lambda: len(self.mails) >= n, within), f"{len(self.mails)} of {n} mails after {within} s"
            return list(self.mails)

    def stays(self, n, for_s=2.5):
        """There are n mails, and after a while there still are."""
        time.sleep(for_s)
        assert len(self.mails) == n, [mail["Subject"] for mail in self.mails]
