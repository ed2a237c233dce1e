"""A Kotlin client built by openapi-generator, as for Android: it compiles, and a guest signs in, takes a
seat, reads the purse of a running server, and gets an error. `scripts/install apps` installs generator,
compiler, and libraries."""

import pytest
from support.cluster import ROOT
from support.generated import generate, judge, run

HERE = ROOT / "tests/apps"
COMPILER = HERE / "node_modules/kotlin-compiler"
# Provides OkHttp without a Java registry: an npm package that contains the library.
OKHTTP = HERE / "node_modules/allure-commandline/dist/plugins/jira-plugin/lib"
CHOSEN = "packageName=rummyd,serializationLibrary=gson,omitGradleWrapper=true"


@pytest.fixture(scope="module")
def classpath(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kotlin")
    # The generator turns an open object into a HashMap, into which Gson reads no member: docs/clients.md has
    # this line, too.
    shut = run(
        "sed",
        "-e",
        "/^ *additionalProperties: true$/d",
        "-e",
        "s/additionalProperties: true, //",
        "-e",
        "s/, additionalProperties: true//",
        ROOT / "openapi.yaml",
    )
    (folder / "openapi.yaml").write_text(shut, encoding="utf-8")
    generate(
        folder,
        "kotlin",
        "--library",
        "jvm-okhttp4",
        "--additional-properties",
        CHOSEN,
        contract=folder / "openapi.yaml",
    )
    (okhttp,), (okio,) = OKHTTP.glob("okhttp-jvm-*.jar"), OKHTTP.glob("okio-jvm-*.jar")
    libraries = f"/usr/share/java/gson.jar:{okhttp}:{okio}"
    run(
        "bash",
        COMPILER / "bin/kotlinc",
        folder / "src/main/kotlin",
        HERE / "Smoke.kt",
        "-cp",
        libraries,
        "-d",
        folder / "smoke.jar",
    )
    return f"{folder / 'smoke.jar'}:{COMPILER / 'lib/kotlin-stdlib.jar'}:{libraries}"


def test_kotlin_compiles_and_plays(classpath, server):
    judge(run("java", "-cp", classpath, "SmokeKt", server.url))
