"""Clocks that a test sets forward and back, for programs that preload tests/faults/clock.c."""

import os
import shutil
import struct
import subprocess
import tempfile

from .cluster import ROOT

HOURS = 3600


class WallClock:
    """Programs started with `env` use it."""

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
        """Sets the offset of the wall clock; running programs see it at once."""
        self.write(0, off_s)

    def let_pass(self, span_s):
        """Advances both clocks."""
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
