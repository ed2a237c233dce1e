"""The heads of the page's documents: titles, descriptions, and link previews for search engines and
messengers; the status of unknown addresses; robots.txt; and sitemap.xml."""

import html.parser
import json
import shutil
import struct
import uuid
import xml.etree.ElementTree as tree

import pytest
import requests
from support.cluster import ROOT, SERVER
from support.contract import OPENAPI, Client, a_name
from support.node import Node
from support.server import Server
from support.wait import HANG_S, until

DIST = ROOT / "web/dist"
PUBLIC = "https://play.example.org"


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("heads"),
        web_dir=DIST,
        public_url=PUBLIC,
        origins=PUBLIC,
    ).start()
    yield it
    assert it.stop() == 0


@pytest.fixture(scope="module")
def node(cluster, database, server):
    it = Node(cluster, database)
    yield it
    it.connection.close()


class Head(html.parser.HTMLParser):
    """What a search engine or a messenger extracts from a document."""

    def __init__(self, text):
        super().__init__()
        self.meta, self.links, self.texts, self.inside = {}, {}, {}, []
        self.language = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "html":
            self.language = attrs["lang"]
        elif tag == "meta" and "content" in attrs:
            name = attrs.get("name") or attrs.get("property")
            if "media" in attrs:
                name = f"{name} {attrs['media']}"  # one for each color scheme
            assert name not in self.meta, f"{name} twice"
            self.meta[name] = attrs["content"]
        elif tag == "link":
            self.links[attrs["rel"]] = attrs["href"]
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, text):
        if self.inside and self.inside[-1] in ("title", "h1"):
            self.texts[self.inside[-1]] = self.texts.get(self.inside[-1], "") + text


def open_page(server, path, language=None, **headers):
    if language:
        headers["Accept-Language"] = language
    answer = requests.get(server.url + path, headers=headers, timeout=HANG_S)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert '<div id="app">' in answer.text, "every document contains the page"
    return answer


def head(server, path, language=None, status=200):
    answer = open_page(server, path, language)
    assert answer.status_code == status, answer.text
    return Head(answer.text)


def is_previewed(found, path, title, picture="home", robots=None):
    assert found.language == "en"
    assert found.texts["title"] == found.meta["og:title"] == found.texts["h1"] == title
    assert found.meta["og:description"] == found.meta["description"] != ""
    assert found.meta["og:url"] == found.links["canonical"] == PUBLIC + path
    assert found.meta["og:image"] == f"{PUBLIC}/preview/{picture}.png" and found.meta["og:image:alt"]
    assert found.meta["twitter:card"] == "summary_large_image" and found.meta.get("robots") == robots


def is_not_indexed(found):
    assert found.meta["robots"] == "noindex" and not any(name.startswith("og:") for name in found.meta)
    assert "canonical" not in found.links and "{" not in found.texts["title"]


def test_pages_without_a_subject_have_previews(server):
    is_previewed(head(server, "/"), "/", "Rummy 51: ten rummy games, free in your browser")
    is_previewed(head(server, "/leagues"), "/leagues", "Rummy leagues · Rummy 51")
    is_previewed(
        head(server, "/rules/pool101"), "/rules/pool101", "Pool 101: the rules · Rummy 51", "declare"
    )
    sheet = "/rules/pool101/score-sheet"
    is_previewed(head(server, sheet), sheet, "Pool 101: a score sheet to print · Rummy 51", "declare")
    is_not_indexed(head(server, "/rules/nothing/score-sheet", status=404))
    is_previewed(
        head(server, "/lessons/rummy51/jokers"),
        "/lessons/rummy51/jokers",
        head(server, "/lessons/rummy51").texts["title"],
    )
    is_not_indexed(head(server, "/lessons/straight/jokers", status=404))
    assert head(server, "/leagues/").links["canonical"] == PUBLIC + "/leagues"


def test_every_language_has_its_own_texts(server):
    """Every language has its own texts for a page, including the names of games."""
    languages = json.loads((DIST / "heads.json").read_text())["languages"]
    assert languages == OPENAPI["components"]["schemas"]["Language"]["enum"]
    titles = {
        language: head(server, "/rules/straight", language).texts["title"].split(" · ")[0]
        for language in languages
    }
    assert len(set(titles.values())) == len(languages), titles
    assert titles["de"] == "Straight Rummy: die Regeln" and titles["sr-Cyrl"] == "Обичан реми: правила"


@pytest.mark.parametrize(
    "asked, language",
    [
        (None, "en"),
        ("", "en"),
        ("xx, ,;q=1,de-AT;q=0.5", "de"),
        ("sr", "sr-Latn"),
        ("hr-HR", "hr"),
        ("ta-IN", "ta"),
        ("bs-BA,en", "hr"),
        ("te-IN,en", "te"),
        ("sr-Cyrl-RS", "sr-Cyrl"),
        ("FR", "fr"),
        ("bn-BD", "bn"),
        ("a" * 500 + ",hi", "hi"),
        ("*", "en"),
    ],
)
def test_the_language_follows_the_browsers_preference(server, asked, language):
    answer = open_page(server, "/rules", asked)
    assert Head(answer.text).language == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_every_picture_exists(server):
    """Pictures have the size that messengers require and that the heads state."""
    for page in json.loads((DIST / "heads.json").read_text())["pages"]:
        if page.get("open") and "ids" not in page:
            image = head(server, "/" + page["first"]).meta["og:image"].removeprefix(PUBLIC)
            answer = requests.get(server.url + image, timeout=HANG_S)
            assert answer.headers["Content-Type"] == "image/png", image
            assert struct.unpack(">II", answer.content[16:24]) == (1200, 630), image


def test_pages_about_players_games_and_clubs_have_previews(server, node):
    owner = Client(server).register(f"{uuid.uuid4().hex}@example.org", "seven sleeping camels")
    me = owner.player
    _table, game = node.play(me["id"])
    club = owner.call(
        "POST",
        "/v1/clubs",
        {"name": a_name("Owls")},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=201,
    ).json()
    path = f"/players/{me['id']}"
    is_previewed(head(server, path), path, f"{me['nickname']} plays rummy · Rummy 51", "player")
    path = f"/games/{game}"
    found = head(server, path)
    is_previewed(found, path, f"Rummy 51: {me['nickname']}, {found.texts['title'].split(', ', 1)[1]}", "game")
    assert "Otto" in found.texts["title"]
    for rest in ("/replay", "/play"):
        assert head(server, path + rest).texts["title"] == found.texts["title"]
    path = f"/clubs/{club['id']}"
    is_previewed(head(server, path), path, f"{club['name']}, a rummy club · Rummy 51", "club")


def test_invitation_links_name_the_inviter_and_are_not_indexed(server, node):
    """Messengers show the name of the inviting player; search engines do not index the page."""
    host = Client(server).guest()
    name = host.player["nickname"]
    table = host.call(
        "POST",
        "/v1/tables",
        {"variant": "pool101", "seats": 2, "visibility": "private"},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=201,
    ).json()
    path = f"/join/{table['code']}"
    title = f"{name} invites you to play Pool 101 · Rummy 51"
    is_previewed(head(server, path), path, title, "table", "noindex")
    assert head(server, path.lower()).texts["title"] == title, "codes are typed in small letters, too"
    with node.connection.cursor() as cursor:
        cursor.execute("SELECT end_table(%s, 'test')", (table["table_id"],))
    is_not_indexed(head(server, path, status=410))
    is_not_indexed(head(server, "/join/ZZZZZZZZ", status=404))
    code = host.call("POST", "/v1/invites", status=200).json()["code"]
    path = f"/invite/{code}"
    is_previewed(head(server, path), path, f"{name} invites you to play rummy · Rummy 51", "home", "noindex")
    is_not_indexed(head(server, "/invite/nothing", status=404))


def test_guessing_link_codes_is_rate_limited(cluster, database, tmp_path):
    it = Server(
        cluster.conninfo(database, SERVER), tmp_path, web_dir=DIST, rate_limits="on", node="limited"
    ).start()
    try:
        seen = [open_page(it, f"/join/CODE{n}") for n in range(60)]
        assert {page.status_code for page in seen} == {404}
        # On a slow machine the limit has partly refilled meanwhile.
        refused = until(lambda: (page := open_page(it, "/join/CODE60")).status_code == 200 and page)
        assert Head(refused.text).texts["title"] == "Rummy 51"
        assert open_page(it, "/rules").status_code == 200
    finally:
        assert it.stop() == 0


def test_names_are_escaped(server, node):
    me = Client(server).guest().player
    wicked = "\"><script>alert(1)</script>&amp;'{level}"
    with node.connection.cursor() as cursor:
        cursor.execute("UPDATE players SET nickname = %s WHERE id = %s", (wicked, me["id"]))
    answer = open_page(server, f"/players/{me['id']}")
    assert "<script>alert" not in answer.text
    assert Head(answer.text).texts["title"] == f"{wicked} plays rummy · Rummy 51"


@pytest.mark.parametrize("path", ["/wallet", "/account", "/table/1", "/watch/1/CODE", "/notifications"])
def test_account_pages_are_not_indexed(server, path):
    is_not_indexed(head(server, path))


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/rules/bridge",
        "/players/x",
        "/players/999999999",
        "/games/999999999",
        "/clubs/0",
        "/tournaments/12345678901234567890",
        "/games/1/nothing",
        "/a/b/c/d",
    ],
)
def test_unknown_addresses_return_404(server, path):
    is_not_indexed(head(server, path, status=404))


def test_hidden_games_look_like_unknown_games(server, node):
    me = Client(server).guest().player
    table, game = node.play(me["id"])
    with node.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables SET visibility = 'private', room_id = NULL, creator_id = %s, code = 'ABCDEFGK'"
            " WHERE id = %s",
            (me["id"], table),
        )
    hidden, none = head(server, f"/games/{game}", status=404), head(server, "/games/999999999", status=404)
    assert vars(hidden) == vars(none)


def test_deleted_accounts_return_410(server, node):
    me = Client(server).guest().player
    with node.connection.cursor() as cursor:
        cursor.execute("UPDATE players SET deleted_at = now() WHERE id = %s", (me["id"],))
    is_not_indexed(head(server, f"/players/{me['id']}", status=410))


def test_unchanged_documents_are_not_resent(server):
    for path in ("/", "/rules/pool101"):
        first = open_page(server, path)
        again = requests.get(
            server.url + path, headers={"If-None-Match": first.headers["ETag"]}, timeout=HANG_S
        )
        assert again.status_code == 304 and again.content == b""
        other = open_page(server, path, "de", **{"If-None-Match": first.headers["ETag"]})
        assert other.status_code == 200, "another language is another document"
        asked = requests.head(server.url + path, timeout=HANG_S)
        assert asked.status_code == 200 and asked.content == b""


def test_an_invalid_heads_file_is_ignored(cluster, database, tmp_path):
    web = tmp_path / "dist"
    web.mkdir()
    shutil.copy(DIST / "index.html", web)
    (web / "heads.json").write_text('{"languages": []')
    it = Server(cluster.conninfo(database, SERVER), tmp_path, web_dir=web, node="headless").start()
    try:
        for path in ("/", "/players/1", "/nothing"):
            assert Head(open_page(it, path).text).texts["title"] == "Rummy 51"
    finally:
        assert it.stop() == 0


def test_robots_txt_and_the_sitemap(server):
    robots = requests.get(server.url + "/robots.txt", timeout=HANG_S)
    assert robots.headers["Content-Type"] == "text/plain; charset=utf-8"
    lines = robots.text.splitlines()
    assert lines[0] == "User-agent: *" and lines[-1] == f"Sitemap: {PUBLIC}/sitemap.xml"
    for path in ("/v1/", "/admin/", "/wallet", "/table", "/watch"):
        assert f"Disallow: {path}" in lines, path
    assert len(lines) == len(set(lines))
    # A rule covers every address that starts with it, and some messengers follow robots.txt, so these must
    # not match any.
    for path in (
        "/",
        "/games/1",
        "/players/1",
        "/clubs/1",
        "/join/AB3D9K",
        "/invite/5F0C6CF2",
        "/preview/home.png",
    ):
        assert not [line for line in lines if path.startswith(line.removeprefix("Disallow: "))], path
    answer = requests.get(server.url + "/sitemap.xml", timeout=HANG_S)
    listed = [node.text for node in tree.fromstring(answer.content).iter() if node.tag.endswith("}loc")]
    assert len(listed) == len(set(listed)) and f"{PUBLIC}/rules/rami" in listed and f"{PUBLIC}/" in listed
    for address in listed:
        is_previewed_at = address.removeprefix(PUBLIC)
        assert head(server, is_previewed_at).links["canonical"] == address


def test_the_sitemap_lists_clubs_and_tournaments(server, holder):
    def made(client, path, body):
        key = {"Idempotency-Key": uuid.uuid4().hex}
        return client.call("POST", path, body, headers=key, status=201).json()["id"]

    def listed():
        answer = requests.get(server.url + "/sitemap.xml", timeout=HANG_S)
        assert answer.headers["Content-Type"] == "application/xml"
        return [node.text for node in tree.fromstring(answer.content).iter() if node.tag.endswith("}loc")]

    owner = Client(server).register(f"{uuid.uuid4().hex}@example.org", "seven sleeping camels")
    club = made(owner, "/v1/clubs", {"name": a_name("Owls")})
    operator = holder("games")
    cup = {"name": "Cup", "kind": "knockout", "variant": "straight", "seats": 2, "entry": 0, "entries_max": 4}
    tournament = made(operator, "/v1/admin/tournaments", cup)
    addresses = [f"{PUBLIC}/clubs/{club}", f"{PUBLIC}/tournaments/{tournament}"]
    assert [address for address in addresses if address not in listed()] == []
    for address in addresses:
        assert head(server, address.removeprefix(PUBLIC)).links["canonical"] == address
    key = {"Idempotency-Key": uuid.uuid4().hex}
    operator.call(
        "POST", f"/v1/admin/tournaments/{tournament}/cancel", {"reason": "no light"}, headers=key, status=200
    )
    assert addresses[1] not in listed(), "a canceled tournament"
