"""A Swift client built by openapi-generator, as for iPhones: it compiles in Swift 6, and a guest signs in,
takes a seat, reads the purse of a running server, and gets an error. Debian 13 has a compiler, Debian 12 has
none."""

import shutil

import pytest
from support.cluster import ROOT
from support.generated import generate, judge, run

HERE = ROOT / "tests/apps"
CHOSEN = "projectName=Rummyd,useSPMFileStructure=true"


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    if not shutil.which("swiftc"):
        pytest.skip("this system offers no Swift")
    folder = tmp_path_factory.mktemp("swift")
    generate(folder, "swift6", "--additional-properties", CHOSEN)
    sources = sorted((folder / "Sources").rglob("*.swift"))
    run(
        "swiftc",
        "-swift-version",
        "6",
        "-parse-as-library",
        "-module-name",
        "Smoke",
        "-o",
        folder / "smoke",
        HERE / "Smoke.swift",
        *sources,
    )
    return folder / "smoke"


def test_swift_compiles_and_plays(smoke, server):
    judge(run(smoke, server.url))
