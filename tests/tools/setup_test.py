#!/usr/bin/env python3
"""What ./run and ./test do about missing packages, with stand-ins for dpkg-query, apt-get, sudo and id on the PATH.

Each test makes a machine: which packages it has, who the user is, and what apt-get does. Nothing is installed.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = ["g++", "cmake", "libfmt-dev"]
# Waits for another installation that holds the lock.
INSTALL = "apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends"


class Machine:
    """A PATH that holds a shell, a few basic tools and the stand-ins."""

    def __init__(self, folder, installed=(), user="root", sudo=True, apt=True, apt_fails=""):
        self.folder = pathlib.Path(folder)
        for tool in ("bash", "env", "grep", "cat"):
            os.symlink(shutil.which(tool), self.folder / tool)
        self.log = self.folder / "log"
        self.log.touch()
        self.add("id", f"echo {0 if user == 'root' else 1000}")
        if apt:
            # As the real one: says what it knows, and fails where it does not know a name. `removed` was here once.
            known = "\n".join(f'[[ $name == "{name}" ]] && echo "installed {name}" && continue' for name in installed)
            self.add("dpkg-query", f"""shift 3
status=0
for name in "$@"; do
    {known}
    [[ $name == libfmt-dev ]] && echo "config-files $name" && continue
    echo "dpkg-query: no packages found matching $name" >&2; status=1
done
exit $status""")
            self.add("apt-get", f"""echo "apt-get $*" >>"{self.log}"
[[ $1 == "{apt_fails}" ]] && echo "E: no such luck" >&2 && exit 100
exit 0""")
        if sudo:
            self.add("sudo", f'echo "sudo $*" >>"{self.log}"; exec "$@"')

    def add(self, name, body):
        path = self.folder / name
        path.write_text(f"#!{self.folder}/bash\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def set_up(self):
        """Runs ensure_packages as ./run does; its exit code, what was said, and what apt-get was asked for."""
        script = f'set -euo pipefail; source "{ROOT}/tools/setup.sh"; ensure_packages {" ".join(WANTED)}; echo "and on"'
        done = subprocess.run([str(self.folder / "bash"), "-c", script], env={"PATH": str(self.folder)}, capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout + done.stderr, self.log.read_text(encoding="utf-8").splitlines()


class EnsurePackages(unittest.TestCase):
    def machine(self, **what):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Machine(folder.name, **what)

    def test_on_a_bare_machine_everything_is_installed(self):
        code, said, asked = self.machine().set_up()
        self.assertEqual(code, 0, said)
        self.assertIn("and on", said)
        self.assertEqual(asked, ["apt-get update -qq", INSTALL + " g++ cmake libfmt-dev"])

    def test_only_what_is_missing_is_installed(self):
        code, said, asked = self.machine(installed=["g++", "cmake"]).set_up()
        self.assertEqual(code, 0, said)
        self.assertIn("Installing 1 package(s): libfmt-dev", said)  # removed, but its configuration is still there
        self.assertEqual(asked[-1], INSTALL + " libfmt-dev")

    def test_where_all_is_there_nothing_is_asked_for(self):
        code, said, asked = self.machine(installed=WANTED, user="ada", sudo=False).set_up()
        self.assertEqual((code, said.strip(), asked), (0, "and on", []))

    def test_a_user_installs_through_sudo(self):
        code, said, asked = self.machine(user="ada").set_up()
        self.assertEqual(code, 0, said)
        self.assertEqual(sum(line.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get") for line in asked), 2)

    def test_without_rights_it_says_what_to_ask_for(self):
        code, said, asked = self.machine(user="ada", sudo=False).set_up()
        self.assertEqual((code, asked), (1, []))
        self.assertIn("not root, and there is no sudo", said)
        self.assertIn("apt-get install -y --no-install-recommends g++ cmake libfmt-dev", said)
        self.assertNotIn("and on", said)

    def test_where_apt_fails_it_says_so_and_stops(self):
        for step in ("update", "install"):
            code, said, _ = self.machine(apt_fails=step).set_up()
            self.assertEqual(code, 1, said)
            self.assertIn("E: no such luck", said)
            self.assertIn("Installing failed", said)
            self.assertIn("apt-get install -y --no-install-recommends g++ cmake libfmt-dev", said)
            self.assertNotIn("and on", said)

    def test_without_apt_it_names_what_is_needed_and_goes_on(self):
        code, said, _ = self.machine(apt=False).set_up()
        self.assertEqual(code, 0, said)
        self.assertIn("g++ cmake libfmt-dev", said)
        self.assertIn("and on", said)


if __name__ == "__main__":
    unittest.main()
