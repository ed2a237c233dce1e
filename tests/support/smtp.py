"""An SMTP server (aiosmtpd) that keeps received emails, and misbehaves on demand.

smtp = Smtp()                                 # listens on a free port; smtp.url
smtp.at_rcpt.append("550 5.1.1 no such user")  # the reply to the next recipient
smtp.at_data.append("451 later")              # the reply to the next text; a function is called before the
                                              # reply to an accepted email
mail = smtp.wait(1)[0]                        # email.message.EmailMessage, with .recipients"""

import email
import email.policy
import socket
import socketserver
import ssl
import subprocess
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from .server import free_port
from .wait import HANG_S

USER, PASSWORD = "rummyd", "a password of the mail server"


def make_certificate(folder, name="localhost"):
    """A self-signed certificate for 127.0.0.1, 0.0.0.0, and localhost; returns the file, which also
    contains the key."""
    path = folder / f"{name}.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={name}",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:0.0.0.0",
            "-keyout",
            path,
            "-out",
            path.with_suffix(".crt"),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


class Smtp:
    def __init__(self, port=None, certificate=None, tls=None, login=False):
        """tls: "smtps" or "starttls" with this certificate; None: plain text. login: credentials required
        to send."""
        self.port = port or free_port()
        self.mails, self.at_rcpt, self.at_data, self.seen = [], [], [], threading.Condition()
        self.logins = []
        options = {}
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            options = (
                {"ssl_context": context}
                if tls == "smtps"
                else {"tls_context": context, "require_starttls": True}
            )
        if login:
            options |= {
                "authenticator": self._login,
                "auth_required": True,
                "auth_require_tls": tls == "starttls",
            }
        self.url = f"{'smtps' if tls == 'smtps' else 'smtp'}://127.0.0.1:{self.port}"
        self.controller = Controller(
            self, hostname="0.0.0.0", port=self.port, server_hostname="mail.test", ready_timeout=10, **options
        )
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

    def wait(self, n, within=HANG_S):
        """Waits for n emails, and returns them."""
        with self.seen:
            assert self.seen.wait_for(lambda: len(self.mails) >= n, within), (
                f"{len(self.mails)} of {n} emails after {within} s"
            )
            return list(self.mails)


CLOSE, SILENCE = "connection closed", "no reply"


class ScriptedSmtp:
    """An SMTP server that gives scripted replies to a phase, each once.

    smtp = ScriptedSmtp()
    smtp.say("rcpt", "550 5.1.1 no such user")  # a line feed separates lines; CLOSE and SILENCE do as named
    smtp.said_to_us                             # the commands, oldest first
    """

    def __init__(self, certificate=None):
        self.replies, self.said_to_us, self.texts = {}, [], []
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        self.closing = threading.Event()

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address, daemon_threads = True, True

        self.tcp = Listener(("0.0.0.0", 0), self._handler())
        self.port = self.tcp.server_address[1]
        self.url = f"smtp://127.0.0.1:{self.port}"
        threading.Thread(target=self.tcp.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.closing.set()
        self.tcp.shutdown()
        self.tcp.server_close()

    def say(self, phase, *replies):
        self.replies.setdefault(phase, []).extend(replies)

    def _handler(script):
        class Handler(socketserver.StreamRequestHandler):
            def reply(self, phase, usual):
                """Returns false once the dialogue is over."""
                waiting = script.replies.get(phase)
                reply = waiting.pop(0) if waiting else usual
                if reply == SILENCE:
                    script.closing.wait(30)
                if reply in (CLOSE, SILENCE):
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return None
                self.wfile.write(reply.replace("\n", "\r\n").encode() + b"\r\n")
                return reply

            def start_tls(self):
                self.connection = script.context.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = (
                    self.connection.makefile("rb"),
                    self.connection.makefile("wb", buffering=0),
                )

            def take_text(self):
                text = b""
                while not text.endswith(b"\r\n.\r\n"):
                    line = self.rfile.readline()
                    if not line:
                        return False
                    text += line
                script.texts.append(text)
                return True

            def handle(self):
                phases = {
                    "EHLO": ("ehlo", "250-mail.test\n250 AUTH PLAIN"),
                    "HELO": ("ehlo", "250 mail.test"),
                    "AUTH": ("auth", "235 2.7.0 ok"),
                    "MAIL": ("mail", "250 2.1.0 ok"),
                    "RCPT": ("rcpt", "250 2.1.5 ok"),
                    "DATA": ("data", "354 go on"),
                    "STARTTLS": ("starttls", "220 2.0.0 go on"),
                    "QUIT": ("quit", "221 bye"),
                }
                alive = self.reply("greeting", "220 mail.test ESMTP")
                while alive:
                    line = self.rfile.readline().decode().strip()
                    word = line.split(" ")[0].split(":")[0].upper()
                    if not word:
                        return
                    script.said_to_us.append(line if word != "AUTH" else "AUTH")
                    if word == "AUTH" and line.count(" ") == 1:
                        self.wfile.write(b"334 \r\n")
                        self.rfile.readline()
                    phase, usual = phases.get(word, ("", "500 what?"))
                    if word == "EHLO" and script.context and not isinstance(self.connection, ssl.SSLSocket):
                        usual = "250-mail.test\n250 STARTTLS"
                    alive = self.reply(phase, usual)
                    if word == "STARTTLS" and alive == usual:
                        self.start_tls()
                    if word == "DATA" and alive == usual:
                        alive = self.take_text() and self.reply("text", "250 2.0.0 queued")
                    if word == "QUIT":
                        return

        return Handler
