"""A small separate file system that tests can fill up. Needs root and the right to mount."""

import contextlib
import os
import pathlib
import subprocess

import pytest


class Disk:
    def __init__(self, folder, mib):
        self.folder = pathlib.Path(folder)
        self.ballast = self.folder / "ballast"
        self.folder.mkdir(parents=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=755", "rummyd-test", str(self.folder)]
        if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
            pytest.skip("this machine does not let us mount a file system")

    def fill(self):
        """Fills the disk to the last byte."""
        with open(self.ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
            for size in (1 << 20, 4096):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size) == size:
                        pass
        assert os.statvfs(self.folder).f_bavail == 0

    def free(self):
        self.ballast.unlink()

    def close(self):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
