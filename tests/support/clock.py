"""Clocks that a test puts on and back, for the programs that live by them (tests/faults/clock.c)."""

import os
import shutil
import struct
import subprocess
import tempfile

from .cluster import ROOT

HOURS = 3600


class WallClock:
    """Programs started with `env` live by it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="rummyd-test-clock-")
        os.chmod(self.folder, 0o755)
        library, self.file = self.folder + "/clock.so", self.folder + "/off"
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run(
            [*compiler, "-shared", "-fPIC", "-O1", "-o", library, ROOT / "tests/faults/clock.c"], check=True
        )
        self.passed = 0
        with open(self.file, "wb") as file:
            file.write(struct.pack("qq", 0, 0))
        self.env = {"LD_PRELOAD": library, "RUMMY_TEST_CLOCK": self.file}

    def put(self, off_s):
        """The wall clock so far from the truth; seen at once by all who run."""
        self.write(0, off_s)

    def let_pass(self, span_s):
        """So much time is over, by both clocks."""
        self.passed += span_s
        self.write(8, self.passed)
        self.write(0, self.read() + span_s)

    def read(self):
        with open(self.file, "rb") as file:
            return struct.unpack("qq", file.read())[0]

    def write(self, at, seconds):
        with open(self.file, "r+b", buffering=0) as file:
            file.seek(at)
            file.write(struct.pack("q", seconds))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
