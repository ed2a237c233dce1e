"""Every configuration key with good, bad, odd, and commented values: a value that can never work is
rejected with a sentence that names the key and the value. A key without a row in CASES fails the sweep."""

import json
import os
import re
import subprocess

import pytest
from support.cluster import ROOT, RUMMYD
from support.push_service import AppServices, make_key
from support.server import Server
from support.stores import Apple, Google
from support.wait import HANG_S

SECRET = "0123456789abcdef0123456789abcdef"
WITHOUT = {name: value for name, value in os.environ.items() if not name.startswith("RUMMYD_")}
# every odd value for every key, although all keys are read in the same way
ALL = os.environ.get("RUMMY_CONFIGURATION_ALL") == "1"
DEF = "".join(
    path.read_text()
    for path in [
        ROOT / "server" / "config_keys.def",
        *(ROOT / "pay").glob("*.def"),
        *(ROOT / "oidc").glob("*.def"),
        *(ROOT / "server" / "outbound").glob("*.def"),
    ]
)
NUMBERS = {m[1]: (int(m[2]), int(m[3])) for m in re.finditer(r"NUMBER_KEY\((\w+), (\d+), (\d+),", DEF)}
SWITCHES = re.findall(r"^    SWITCH_KEY\((\w+),", DEF, re.M)
TEXTS = re.findall(r"^    (?:TEXT|API_URL|URL|HOST|NEEDED|PRIVATE_FILE)_KEY\((\w+),", DEF, re.M)
SECRETS = re.findall(r"^    SECRET_KEY\((\w+),", DEF, re.M)
TEXTS += [f"{name}_file" for name in SECRETS]

BAD_SWITCHES = ["yes", "ON", "true", "1", "on off"]
ODD = ["a\tb", "a\x7fb", "x" * 512]  # odd values for every text
NO_URLS = [
    "foo",
    "ftp://a.example",
    "https://",
    "https:///x",
    "https://a b",
    "https://a.example:0",
    "https://a.example:99999",
    "https://a.example:80x",
    "https://a.example:0443",
    "https://a.example?x=1",
    "https://a.example#x",
    "https://me@a.example",
    "https://-a.example",
    "https://a..example",
    "https://.",
    "https://999.1.1.1",
    "https://[::g]",
    "https://a.example/x y",
]
NO_NAMES = ["../x", "a/b", "a b", ".a", "-a", "a:b", "ä", "x" * 64]
NO_EMAILS = ["ana", "ana@", "@example.org", "ana@example", "Ana <ana@example.org>", "a b@example.org"]
NO_ORIGINS = [
    "foo",
    "*",
    "null",
    "https://a.example/",
    "https://a.example/x",
    "a.example",
    "https://A.example",
    "https://a.example:443",
    "http://a.example:80",
    "https://a.example:99999",
    "https://a.example:08443",
    "https://*.example",
    "https://a.example;https://b.example",
    "wss://a.example",
    "https://[2001:0db8::1]",
    "https://[0:0:0:0:0:0:0:1]:8443",
    ",",
]


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """Files and folders for values, by name."""
    folder = tmp_path_factory.mktemp("there")
    for name in ("empty", "page", "mails"):
        (folder / name).mkdir()
    (folder / "page" / "index.html").write_text("<!doctype html>")
    texts = {
        "secret": SECRET + "\n",
        "other": SECRET[::-1],
        "weak": "x",
        "blank": "",
        "lines": f"{SECRET}\n{SECRET}\n",
        "text": "no key\n",
        "blanks": f"{SECRET} \n",
        "marked": f"\ufeff{SECRET}\n",
        "publishable": "pk_live_" + SECRET,
        "webhook": "whsec_" + SECRET,
        "restricted": "rk_live_" + SECRET,
        "oidc": json.dumps(
            {"providers": [{"id": "a", "name": "A", "issuer": "https://a.example", "client_id": "x"}]}
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)
    make_key(folder / "vapid")
    apps, apple, google = AppServices(folder), Apple(), Google()
    google.account_file(folder).chmod(0o600)
    try:
        yield {
            **{path.name: path for path in folder.iterdir()},
            "nothing": folder / "no" / "thing",
            "folder": folder / "empty",
            "root": apple.root_file(folder),
            "account": google.account_file(folder),
            "firebase": apps.files["fcm_account_file"],
            "apns": apps.files["apns_key_file"],
            "certificate": certificate(folder),
        }
    finally:
        apps.close()
        google.close()


def certificate(folder):
    path = folder / "ca.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "/dev/null",
            "-out",
            path,
            "-subj",
            "/CN=x",
            "-days",
            "9",
        ],
        check=True,
        capture_output=True,
    )
    return path


NO_FILES = ["{nothing}", "{folder}"]
NO_SECRETS = [*NO_FILES, "{blank}", "{lines}"]
NO_SECRETS_OF_OTHERS = [*NO_SECRETS, "{weak}", "{blanks}", "{marked}"]
SMTP = {"smtp_url": "smtps://mail.example", "mail_from": "noreply@play.example"}
PAYPAL = {"paypal_client_id": "x", "paypal_secret_file": "{secret}", "paypal_webhook_id": "y"}
STRIPE = {"stripe_key_file": "{secret}", "stripe_webhook_secret_file": "{secret}"}
SMS = {"sms_number": "1234", "sms_secret_file": "{secret}"}
APPLE = {"apple_bundle_id": "example.rummy", "apple_root_file": "{root}"}
GOOGLE = {"google_package": "example.rummy", "google_account_file": "{account}"}
APNS = {
    "apns_key_file": "{apns}",
    "apns_key_id": "KEY0000001",
    "apns_team_id": "TEAM000001",
    "apns_topic": "example.rummy",
}
URL = (
    ["https://a.example", "https://a.example:8443/x", "https://[2001:db8::1]:1"],
    [*NO_URLS, "http://a.example"],
    {},
)
# the server itself adds this path
API = (URL[0], [*URL[1], "https://a.example/v1", "https://a.example/x/v2"], {})

# For each text: good values, bad ones, and other required settings.
CASES = {
    "db": (
        ["rummyd", "host=/run/postgresql dbname=x", "postgresql:///x"],
        [
            "host=a b",
            "host='x",
            "nonsense =",
            "no such=1",
            "a b",
            "host=db.example",
            "host=/x port=99999",
            "host=/x port=x",
            "postgresql://[x",
            "host=/x sslmode=verify-ful",
            "host=/x target_session_attrs=primary2",
            "host=/x channel_binding=on",
            "host=/x gssencmode=no",
            "host=/x ssl_min_protocol_version=1.2",
            "host=/x connect_timeout=5s",
            "host=/x keepalives=on",
            "host=/x sslrootcert={nothing}",
            "host=/x sslcert={folder}",
            "postgresql:///x?passfile={nothing}",
        ],
        {},
    ),
    "db_read": (["host=/run/postgresql"], ["host='x", "host=db.example", "host=/x port=0"], {}),
    "db_server_role": (["server"], ["Server", "a b", "9", "x" * 64, "rummyd_read"], {}),
    "db_read_role": (["reader"], ["Reader", "a b", "9", "x" * 64, "rummyd"], {}),
    "bus_url": (
        ["nats://a:b@localhost", "tls://a:b@bus.example:4222"],
        [
            "foo",
            "http://a:b@x",
            "nats://a:b@bus.example",
            "nats://localhost",
            "nats://a:b@",
            "nats://a:b@localhost:99999",
            "tls://a:b@x/y",
            "tls://a:b@x y",
        ],
        {},
    ),
    "bus_ca": (["{certificate}"], [*NO_FILES, "{text}", "{blank}"], {"bus_url": "tls://a:b@bus.example"}),
    "http_addr": (["127.0.0.1", "0.0.0.0", "::1"], ["localhost", "127.0.0.256", "127.0.0.1:80", "*"], {}),
    "ws_addr": (["127.0.0.1", "0.0.0.0", "::"], ["localhost", "play.example", "[::1]"], {}),
    "ws_url": (
        ["wss://a.example", "wss://a.example/ws/n/n1", "ws://localhost:8081"],
        [
            *(url.replace("https:", "wss:") for url in NO_URLS),
            "ws://a.example",
            "https://a.example",
            "wss://0.0.0.0",
        ],
        {},
    ),
    "web_dir": (["{page}"], ["{nothing}", "{text}", "{folder}"], {}),
    "origins": (
        ["https://a.example", "https://a.example, http://b.example:8080,capacitor://localhost"],
        [*NO_ORIGINS, "https://a.example, foo"],
        {},
    ),
    "proxies": (
        ["10.0.0.1", "10.0.0.1, ::1"],
        [
            "0.0.0.0",
            "::",
            "10.0.0.0/8",
            "proxy",
            "10.0.0.1/x",
            "10.0.0",
            ", ".join(f"10.0.0.{i}" for i in range(17)),
        ],
        {},
    ),
    "node": (["n1", "rummyd-0", "a.b_c", "x" * 63], NO_NAMES, {}),
    "jwt_secret_file": (["{secret}"], [*NO_SECRETS, "{weak}"], {}),
    "jwt_kid": (["k2", "x" * 63], NO_NAMES, {}),
    "jwt_old_secret_file": (["{other}"], [*NO_SECRETS, "{weak}"], {}),
    "jwt_old_kid": (["k2", "x" * 63], [*NO_NAMES, "k1"], {"jwt_old_secret_file": "{other}"}),
    "public_url": (
        [*URL[0], "http://localhost:8080"],
        [*NO_URLS, "https://A.example", "https://0.0.0.0", "https://a.example:443"],
        {},
    ),
    "passkey_id": (
        ["play.example"],
        ["A.example", "https://play.example", "other.example", "192.0.2.7", "example"],
        {"public_url": "https://play.example"},
    ),
    "passkey_name": (["Rummy, at home"], ["x" * 64], {}),
    "passkey_origins": (
        ["https://play.example", f"https://play.example,android:apk-key-hash:{'x' * 43}"],
        [
            "android:apk-key-hash:",
            "android:apk-key-hash:" + ":".join(["AB"] * 32),
            "https://play.example:08443",
            ",",
            "foo",
            "*",
            "https://play.example/",
            "http://play.example",
            "https://other.example",
        ],
        {"public_url": "https://play.example"},
    ),
    "stripe_url": API,
    "stripe_page_host": (["pay.example"], ["https://pay.example", "Pay.example", "a/b", "pay.example."], {}),
    "stripe_key_file": (
        ["{secret}", "{restricted}"],
        [*NO_SECRETS_OF_OTHERS, "{publishable}", "{webhook}"],
        STRIPE,
    ),
    "stripe_webhook_secret_file": (
        ["{secret}", "{webhook}"],
        [*NO_SECRETS_OF_OTHERS, "{restricted}"],
        STRIPE,
    ),
    "paypal_url": API,
    "paypal_client_id": (["x"], ["a b", "a:b", "ä"], PAYPAL),
    "paypal_secret_file": (["{secret}"], NO_SECRETS_OF_OTHERS, PAYPAL),
    "paypal_webhook_id": (["x"], ["a b", "a:b", "ä"], PAYPAL),
    "sms_number": (["1234"], ["+1234", "12 34", "1" * 16], SMS),
    "sms_keyword": (["GOLD"], ["two words", "x" * 21, "a-b"], SMS),
    "sms_secret_file": (["{secret}"], NO_SECRETS_OF_OTHERS, SMS),
    "apple_bundle_id": (["example.rummy-1"], ["a b", "a/b", "a_b"], APPLE),
    "apple_root_file": (["{root}"], [*NO_FILES, "{text}", "{blank}"], APPLE),
    "apple_environment": (["Production", "Sandbox"], ["production", "sandbox", "Xcode"], {}),
    "google_package": (["example.rummy_1"], ["a b", "a/b"], GOOGLE),
    "google_account_file": (["{account}"], [*NO_FILES, "{text}", "{blank}"], GOOGLE),
    "google_url": API,
    "google_token_url": URL,
    "oidc_file": (["{oidc}"], [*NO_FILES, "{text}", "{blank}"], {}),
    "smtp_url": (
        ["smtp://mail.example:587", "smtps://[::1]"],
        [
            "mail.example",
            "smtp://",
            "smtp://a b",
            "smtp://a.example:0",
            "smtp://a.example:99999",
            "smtp://a.example/",
            "http://a.example",
            "smtp://me:x@a.example",
            "smtp://999.1.1.1",
        ],
        SMTP,
    ),
    "smtp_helo": (
        ["mail.example", "[192.0.2.1]"],
        ["vm", "mail example", "https://mail.example", "192.0.2.1", "[x]"],
        {},
    ),
    "smtp_user": (["ana"], [], {**SMTP, "smtp_password_file": "{secret}"}),
    "smtp_password_file": (["{secret}"], NO_SECRETS, {**SMTP, "smtp_user": "ana"}),
    "smtp_ca_file": (["{certificate}"], [*NO_FILES, "{text}", "{blank}"], SMTP),
    "mail_from": (["noreply@play.example"], NO_EMAILS, {}),
    "mail_name": (["Rummy", "Реми"], ["x" * 101], {}),
    "mail_dir": (["{mails}"], ["{nothing}", "{text}"], {}),
    "vapid_key_file": (["{vapid}"], [*NO_FILES, "{text}", "{blank}"], {"mail_from": "noreply@play.example"}),
    "push_hosts": (
        ["push.example", "push.example, .wide.example"],
        [
            "https://push.example",
            "*.push.example",
            "push.example:443",
            "push.example/x",
            "A.example",
            "push..example",
            ".",
        ],
        {},
    ),
    "fcm_account_file": (["{firebase}"], [*NO_FILES, "{text}", "{blank}"], {}),
    "fcm_url": API,
    "apns_key_file": (["{apns}"], [*NO_FILES, "{text}", "{blank}"], APNS),
    "apns_key_id": (["KEY0000001"], ["KEY", "KEY 000001", "KEY00000012"], APNS),
    "apns_team_id": (["TEAM000001"], ["TEAM", "TEAM-00001"], APNS),
    "apns_topic": (["example.rummy"], ["a b", "a/b"], APNS),
    "apns_url": API,
    "otlp_endpoint": ([*URL[0], "http://localhost:4318"], [*NO_URLS, "http://localhost:4318/v1/traces"], {}),
    "log_level": (["debug", "info", "warn", "error"], ["loud", "INFO", "2"], {}),
    "state_dir": (["{mails}"], ["{nothing}", "{text}"], {}),
    "dev_seed": ([], ["one"], {}),
}


def check(there, options, env=None, secret=True, command="check-config", cwd=None):
    """The exit code for flags, an environment, or a file, and the output."""
    flags = [f"--{key}={str(value).format(**there)}" for key, value in options.items()]
    done = subprocess.run(
        [RUMMYD, command, *flags],
        env={**WITHOUT, **({"RUMMYD_JWT_SECRET": SECRET} if secret else {}), **(env or {})},
        capture_output=True,
        text=True,
        timeout=HANG_S,
        cwd=cwd or there["mails"],
    )
    assert done.returncode in (0, 1, 2), done
    return done.returncode, done.stderr


def in_file(there, text):
    file = there["mails"].parent / "rummyd.conf"
    file.write_text(text)
    return check(there, {"config": file})


def refused(answer, key, value=None):
    code, said = answer
    line = said.splitlines()[-1] if said else ""
    assert code in (1, 2) and re.search(
        rf"^rummyd: (\S+ line \d+: )?(RUMMYD_)?{key}\b", line, re.IGNORECASE
    ), (key, value, code, said)
    assert len(line) > len(f"rummyd: {key}: ") + 10, line


def needs(key, there):
    """The other settings that the key needs. A secret from a file has no other source."""
    more = {name: value for name, value in CASES.get(key, ((), (), {}))[2].items() if name != key}
    return {name: value.format(**there) for name, value in more.items()}


def test_every_text_setting_has_cases():
    assert set(TEXTS) == set(CASES)
    listed = subprocess.run([RUMMYD, "help"], capture_output=True, text=True, check=True).stdout
    keys = [*TEXTS, *NUMBERS, *SWITCHES]
    assert len(keys) == len(re.findall(r"^    \w+_KEY\(", DEF, re.M))
    assert all(f"\n  {key} " in listed for key in keys)


def some(values, n):
    """A selection of values or forms that all keys of a kind parse in the same way: all for the first key,
    then one per key, in turn."""
    return values if ALL or n == 0 else [values[n % len(values)]]


def some_bad(key):
    """The bad values of a text. All web addresses go through the same check, so only the first key gets all
    of them."""
    bad, addresses = CASES[key][1], [other for other in CASES if set(NO_URLS) <= set(CASES[other][1])]
    if key not in addresses:
        return bad
    kept = some(NO_URLS, addresses.index(key))
    return [value for value in bad if value not in NO_URLS or value in kept]


def all_refused(there, key, values, turn, more):
    """Each bad value is refused as a flag, and some of them in the environment."""
    for value in values:
        refused(check(there, {**more, key: value}), key, value)
    for value in some(values, turn):
        refused(check(there, more, env={f"RUMMYD_{key.upper()}": value}), key, value)


@pytest.mark.parametrize("key", SWITCHES)
def test_switches(there, key):
    dev = {} if key == "dev" else {"dev": "on"}
    for value in ("on", "off"):
        assert check(there, {**dev, key: value})[0] == 0
        assert (
            in_file(
                there,
                "".join(f"{k} = {v}\n" for k, v in {**dev, key: value + "  # said on a quiet day"}.items()),
            )[0]
            == 0
        )
    turn = SWITCHES.index(key)
    all_refused(there, key, some([*BAD_SWITCHES, "on # comment"], turn), turn, dev)


@pytest.mark.parametrize("key", NUMBERS)
def test_numbers(there, key):
    least, most = NUMBERS[key]
    odd = ["", "8x", "1.5", "1e3", "0x10", " ", "+1", "9" * 20, f"{least} # comment"]
    turn = list(NUMBERS).index(key)
    all_refused(there, key, [str(least - 1), str(most + 1), *some(odd, turn)], turn, {})
    small = {"http_max": 16, "socket_waiting_max": 1, "socket_waiting_address_max": 1}
    for value in (least, min(most, max(least, 100))):
        code, said = check(there, {**small, key: value})
        assert (code, said) == (0, "") or "page_missing" in said
        assert in_file(there, f"{key} = {value}\t# a comment\n")[0] == 0


# Two contradicting keys: the sentence names the other one.
NAMED_BY = {
    ("db_server_role", "rummyd_read"): "db_read_role",
    ("passkey_id", "other.example"): "passkey_origins",
}


def unsaid(key, value, there):
    """Values that an error does not repeat: passwords, secrets, control characters, and long values."""
    secret = key in ("db", "db_read", "bus_url") or "@" in value
    kind = value.startswith(str(there["mails"].parent))  # a file with invalid content; the key identifies it
    return secret or kind or key == "dev_seed" or not value.isprintable() or len(value) > 60


@pytest.mark.parametrize("key", CASES)
def test_texts(there, key):
    good = CASES[key][0]
    others, secret = needs(key, there), key != "jwt_secret_file"
    turn = list(CASES).index(key)
    contents = {
        str(there[name]) for name in ("weak", "blanks", "marked", "publishable", "webhook", "restricted")
    }
    for n, value in enumerate(good):
        value = value.format(**there)
        answer = check(there, {**others, key: value}, secret=secret)
        assert answer[0] == 0, (key, value, answer)
        text = "".join(f"{name} = {text}\n" for name, text in others.items())
        forms = [
            f"{key} = {value} # comment",
            f'{key} = "{value}"',
            f'  {key}="{value}"# comment',
            f"{key} = {value}\t#",
        ]
        for line in some(forms, turn + n):
            file = there["mails"].parent / "rummyd.conf"
            file.write_text(f"\ufeff{text}\r\n# a comment\n\n{line}\r\n")
            answer = check(there, {"config": file}, secret=secret)
            assert answer[0] == 0, (line, answer)
    for value in [*some_bad(key), *some(ODD, turn)]:
        value = value.format(**there)
        answer = check(there, {**others, key: value}, secret=secret)
        refused(
            answer,
            NAMED_BY.get((key, value)) or (key.removesuffix("_file") if value in contents else key),
        )
        if not unsaid(key, value, there):
            assert any(part in answer[1] for part in value.split(", ")), (value, answer)
    if good:
        refused(
            check(
                there,
                others,
                env={f"RUMMYD_{key.upper()}": f"{good[0].format(**there)} # comment"},
                secret=secret,
            ),
            key,
        )


# --- keys that need each other ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, key",
    [
        ({"vapid_key_file": "{vapid}"}, "vapid_key_file"),  # push services require a contact
        ({"vapid_key_file": "{vapid}", "mail_from": "a@play.example", "push_hosts": ""}, "push_hosts"),
        ({"smtp_user": "ana"}, "smtp_user"),
        ({"smtp_ca_file": "{certificate}"}, "smtp_ca_file"),
        ({"smtp_url": "smtps://mail.example"}, "mail_from"),
        ({**SMTP, "smtp_user": "ana"}, "smtp_password_file"),
        ({**SMTP, "smtp_password_file": "{secret}"}, "smtp_user"),
        ({"bus_url": "nats://a:b@localhost", "bus_ca": "{certificate}"}, "bus_ca"),
        ({"public_url": "https://play.example", "origins": "https://other.example"}, "origins"),
        ({"ws_port": "8080"}, "ws_port"),
        ({"journal": "off"}, "journal"),
        *[({name: PAYPAL[name]}, "paypal_") for name in PAYPAL],
        *[({name: STRIPE[name]}, "stripe_") for name in STRIPE],
        *[({name: SMS[name]}, "sms_") for name in SMS],
        *[({name: APPLE[name]}, "apple_") for name in APPLE],
        *[({name: GOOGLE[name]}, "google_") for name in GOOGLE],
        *[({name: APNS[name]}, "apns_") for name in APNS],
    ],
)
def test_a_setting_without_the_setting_it_needs_is_refused(there, options, key):
    code, said = check(there, options)
    assert code == 1 and said.splitlines()[-1].startswith(f"rummyd: {key}"), said


# --- the file -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, said",
    [
        ('mail_name = "Rummy', "the closing quote is missing"),
        ("mail_name = 'Rummy'", "single quotes"),
        ('mail_name = "Rummy" and more', "only a comment may follow the closing quote"),
        ("node = a\nnode = b", "node: is already on line 1"),
        ("node = a\nNODE = b", "unknown key"),
        ("nonsense = 1", "nonsense: unknown key"),
        ("node", "is not `key = value`"),
        ("http_port # = 8080", "unknown key"),
        ("node = ", "node: must have 1 to"),
        ("node = # n1", "node: must have 1 to"),
        ("node = a\0b", "a NUL in it"),
        ("jwt_secret = " + SECRET, "must not be in this file"),
        ("node = " + "x" * 2000, "too long a line"),
    ],
)
def test_malformed_lines_are_refused(there, text, said):
    code, stderr = in_file(there, text)
    assert code == 1 and said in stderr and "line " in stderr, stderr


def test_values_from_a_file_are_read_exactly(cluster, tmp_path):
    """Checked through a response, so that a comment cannot become part of a value."""
    database = cluster.new_database()
    file = tmp_path / "rummyd.conf"
    file.write_text(
        '# one machine\norigins = https://a.example, https://b.example  # ours\npasskey_name = "Rummy # 1" #'
        ' quoted\nnode = n7 # "seven"\n'
    )
    server = Server(f"{cluster.conninfo(database)}", tmp_path, config=file).start()
    try:
        assert server.logged('"node":"n7"')
        import requests

        for origin, allowed in (
            ("https://a.example", True),
            ("https://b.example", True),
            ("https://c.example", False),
        ):
            answer = requests.get(server.url + "/v1/variants", headers={"Origin": origin}, timeout=HANG_S)
            assert (answer.headers.get("Access-Control-Allow-Origin") == origin) == allowed, origin
    finally:
        assert server.stop() == 0
        cluster.drop_database(database)


@pytest.mark.parametrize("path", ["{folder}", "{nothing}"])
def test_an_unreadable_configuration_is_refused(there, path):
    refused(check(there, {"config": path}), "config")
    refused(check(there, {}, env={"RUMMYD_CONFIG": path.format(**there)}), "config")


# --- precedence ---------------------------------------------------------------------------------------------

PAIRS = sorted(SECRETS)


def test_a_secret_and_its_file(there):
    """For a secret and its file together, the stronger source takes precedence: the file that a flag names
    overrides the environment's secret, which overrides the file that the configuration file names. Both in
    the environment contradict each other."""
    assert PAIRS == [
        "jwt_secret",
        "paypal_secret",
        "sms_secret",
        "smtp_password",
        "stripe_key",
        "stripe_webhook_secret",
    ]
    for name in PAIRS:
        key, others = name + "_file", needs(name + "_file", there)
        env, secret = {f"RUMMYD_{name.upper()}": "{" + SECRET}, name != "jwt_secret"
        config = there["mails"].parent / "rummyd.conf"
        config.write_text(f"{key} = {there['nothing']}\n")
        assert check(there, {**others, "config": config}, env=env, secret=secret)[0] == 0, name
        refused(check(there, {**others, key: there["nothing"]}, env=env, secret=secret), key)
        refused(
            check(there, others, env={**env, f"RUMMYD_{key.upper()}": str(there["secret"])}, secret=secret),
            name + "(_file)?",
        )
        refused(
            check(there, others, env={f"RUMMYD_{key.upper()}": str(there["secret"]), **env}, secret=secret),
            name + "(_file)?",
        )
        empty = {f"RUMMYD_{name.upper()}": ""}
        config.write_text(f"{key} = {there['secret']}\n")
        assert check(there, {**others, "config": config}, env=empty, secret=secret)[0] == 0, name
        code, said = check(there, {name: SECRET})
        assert code == 2 and f"--{name}: unknown flag" in said and SECRET not in said, said
        refused(
            check(there, others, env={f"RUMMYD_{name.upper()}": SECRET + " # comment"}, secret=secret), name
        )


def test_precedence_of_file_environment_and_flags(there):
    """For every key, a bad value is an error unless a stronger source has a good one."""
    config = there["mails"].parent / "rummyd.conf"
    good = {
        "log_level": "info",
        **{key: str(min(max(least, 16), most)) for key, (least, most) in NUMBERS.items()},
        **dict.fromkeys(SWITCHES, "on"),
        "ws_port": "17",  # must differ from http_port, which is 16
    }
    config.write_text("".join(f"{key} = {value}\n" for key, value in good.items()))
    code, said = check(there, {"config": config})
    assert code == 0, said
    for key, value in good.items():
        more = {name: good[name] for name in ("dev", "http_max", "socket_waiting_max") if name != key}
        config.write_text(f"{key} = {value}\n")
        refused(check(there, {**more, "config": config}, env={f"RUMMYD_{key.upper()}": "bad"}), key)
        refused(
            check(there, {**more, "config": config, key: "bad"}, env={f"RUMMYD_{key.upper()}": value}), key
        )


# --- the environment ----------------------------------------------------------------------------------------


LINKS = {
    "RUMMYD_SERVICE_HOST": "10.96.0.7",
    "RUMMYD_SERVICE_PORT": "8080",
    "RUMMYD_SERVICE_PORT_HTTP": "8080",
    "RUMMYD_PORT": "tcp://10.96.0.7:8080",
    "RUMMYD_PORT_8080_TCP": "tcp://10.96.0.7:8080",
    "RUMMYD_PORT_8080_TCP_PROTO": "tcp",
    "RUMMYD_PORT_8080_TCP_PORT": "8080",
    "RUMMYD_PORT_8080_TCP_ADDR": "10.96.0.7",
}
OF_NODES = {name.replace("RUMMYD_", "RUMMYD_0_", 1): value for name, value in LINKS.items()}


@pytest.mark.parametrize(
    "env",
    [LINKS, OF_NODES, {name.replace("RUMMYD_", "RUMMYD_NODES_", 1): value for name, value in LINKS.items()}],
)
def test_kubernetes_service_links_are_ignored(there, env):
    code, said = check(there, {"web_dir": "{page}"}, env=env)
    assert code == 0 and said == "", said


def test_a_service_link_named_like_a_key_is_ignored(there):
    """The link of a Service `rummyd-http` has the name of a key, but its value reveals that it is a
    link."""
    code, said = check(there, {"web_dir": "{page}"}, env={"RUMMYD_HTTP_PORT": "tcp://10.96.0.7:8080"})
    assert code == 0 and "environment_ignored" in said and "http_port" in said


@pytest.mark.parametrize(
    "name, meant",
    [
        ("ORIGNS", "ORIGINS"),
        ("WS_PROT", "WS_PORT"),
        ("HTTPPORT", "HTTP_PORT"),
        ("JWT_SECRET_FIL", "JWT_SECRET_FILE"),
        ("PUBLIC_URLS", "PUBLIC_URL"),
        ("RATE_LIMIT", "RATE_LIMITS"),
        ("STRIPE_KYE", "STRIPE_KEY"),
        ("JWT_SECRETS", "JWT_SECRET"),
        ("CONFG", "CONFIG"),
        ("CONFIG_FILE", "CONFIG"),
        ("VAPID_KEY", "VAPID_KEY_FILE"),
        ("JWT_OLD_SECRET", "JWT_OLD_SECRET_FILE"),
        ("SMTP_USER_FILE", "SMTP_USER"),
    ],
)
def test_a_misspelled_variable_is_refused(there, name, meant):
    code, said = check(there, {}, env={f"RUMMYD_{name}": "1"})
    assert code == 1 and f"RUMMYD_{name}: unknown key; did you mean RUMMYD_{meant}?" in said, said


def test_other_variables_are_ignored_with_a_warning(there):
    code, said = check(there, {"web_dir": "{page}"}, env={"RUMMYD_COLOUR_SCHEME": "purple"})
    assert (
        code == 0 and '"level":"warn","event":"environment_ignored","variable":"RUMMYD_COLOUR_SCHEME"' in said
    ), said
    assert "purple" not in said  # it may be a secret
    for name in ("RUMMYD_URL", "RUMMYD_API_KEY_FILE", "RUMMYD_API_KEY", "RUMMYD_OWNER_PASSWORD"):
        assert check(there, {"web_dir": "{page}"}, env={name: "x"}) == (0, ""), name


# --- the command line ---------------------------------------------------------------------------------------

COMMANDS = re.findall(
    r"^  ([a-z-]+) ",
    subprocess.run([RUMMYD, "help"], capture_output=True, text=True, check=True).stdout.split("\nkeys ")[0],
    re.MULTILINE,
)


def run(*words):
    done = subprocess.run([RUMMYD, *words], env=WITHOUT, capture_output=True, text=True, timeout=HANG_S)
    return done.returncode, done.stdout, done.stderr


def test_help_and_version():
    assert len(COMMANDS) > 12
    whole = run("help")
    assert whole[0] == 0 and run("--help") == whole == run("-h")
    assert max(len(line) for line in whole[1].splitlines()) <= 100
    version = f"rummyd {(ROOT / 'VERSION').read_text().strip()}\n"
    assert {run(word) for word in ("version", "--version", "-V")} == {(0, version, "")}


def test_help_has_the_meanings_of_the_page():
    """The help contains the page's text for each key, without code marks and links."""
    words = " ".join(run("help")[1].split())
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    table = page[page.index("<!-- settings: keys -->") :]
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", table[: table.index("<!-- end -->")], re.M)
    assert {name for name, _ in rows} == {*NUMBERS, *SWITCHES, *TEXTS}
    for name, meaning in rows:
        plain = re.sub(r" \(\[[^\]]*\]\([^)]*\)\)|`", "", meaning)
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        assert f" {name} {plain}" in words


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command):
    code, said, stderr = run(command, "--help")
    assert code == 0 and stderr == "" and f"usage: rummyd {command}" in said
    assert max(len(line) for line in said.splitlines()) <= 100
    assert run("help", command) == (code, said, stderr) == run(command, "-h")


@pytest.mark.parametrize(
    "words",
    [
        ("helpp",),
        ("help", "helpp"),
        ("help", "serve", "migrate"),
        ("version", "x"),
        ("serve", "--versionn"),
        (),
    ],
)
def test_invalid_arguments_are_refused(words):
    code, said, stderr = run(*words)
    assert code == 2 and said == "" and stderr.startswith("rummyd: ")


def test_check_config_creates_no_files(there, tmp_path):
    code, said = check(
        there,
        {"dev": "on", "state_dir": tmp_path / "state", "mail_dir": tmp_path / "mail", "web_dir": "{page}"},
        secret=False,
        cwd=tmp_path,
    )
    assert (code, said) == (0, "") and list(tmp_path.iterdir()) == []


def test_serve_refuses_the_same_settings(there):
    """`serve` refuses them before it connects to a database."""
    for options, key in (
        ({"origins": "*"}, "origins"),
        ({"web_dir": "{nothing}"}, "web_dir"),
        ({"node": "../x"}, "node"),
        ({"config": "{folder}"}, "config"),
    ):
        refused(check(there, {**options, "db": "host=/nowhere", "db_wait_s": 0}, command="serve"), key)
