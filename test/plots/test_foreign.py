# SPDX-License-Identifier: GPL-2.0-only
"""
Folders that somebody else has made: what is in them costs little, controls no terminal and no page, and is not
followed; and what others have written is not replaced.
"""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import synthetic
import synthetic_failures
from paths import PLOTS
from programs import call
from rails.result import load_result

DAMAGED = "balance=rails,seed=2"
ESC, BIDI = "\x1b[2J\x07", "\u202e"


class Foreign(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        self.folder = self.place / "gift"
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1, 2), messages=20)
        for name in ("programs.faults", "rails.plots.report_page._libraries"):
            patch = mock.patch(name, return_value=[])
            patch.start()
            self.addCleanup(patch.stop)

    def record(self, point=DAMAGED):
        return self.folder / point / "result.json"

    def change(self, point=DAMAGED, /, **changes):
        path = self.record(point)
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


class Files(Foreign):
    def check_left_out(self, reason):
        """The point is named with its reason in a line, and the rest is shown."""
        done = call("compare", self.folder, "--by", "balance")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, rf"\A[^\n]*{DAMAGED}[^\n]*: error: [^\n]*{reason}[^\n]*\n\Z")
        self.assertNotEqual(done.stdout, "")

    def replace(self, make, path=None):
        path = path or self.record()
        path.unlink(missing_ok=True)
        make(path)

    def test_what_is_no_file_is_neither_waited_for_nor_read(self):
        def listen(path):
            self.enterContext(socket.socket(socket.AF_UNIX)).bind(str(path))

        for make, reason in (
            (os.mkfifo, "is a pipe; expected a regular file"),
            (listen, "is a socket; expected a regular file"),
            (lambda path: path.symlink_to("/dev/zero"), "is a link out of its folder"),
            (lambda path: path.symlink_to("/etc/passwd"), "is a link out of its folder"),
            (lambda path: path.symlink_to("../balance=rails,seed=1/result.json"), "is a link out of its folder"),
            (lambda path: path.symlink_to("result.json"), "cannot be read"),
        ):
            with self.subTest(reason):
                self.replace(make)
                self.check_left_out(reason)

    def test_a_link_inside_of_its_folder_is_followed(self):
        self.record().rename(self.record().with_name("kept.json"))
        self.record().symlink_to("kept.json")
        self.assertEqual(call("report", self.folder).returncode, 0)

    def test_the_record_of_a_sweep_is_not_looked_for_elsewhere(self):
        elsewhere = self.place / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "sweep.json").write_text('{"text": "a secret"}')
        (self.folder / ".rails").symlink_to("../elsewhere")
        done = call("report", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"sweep.json: error: is a link out of its folder")

    def test_a_table_is_read_under_the_same_rules(self):
        for make, reason in (
            (os.mkfifo, "is a pipe"),
            (lambda path: path.symlink_to("/dev/zero"), "is a link out of its folder"),
            (lambda path: path.write_text("," * 3_000_000), "has a line of more than 1048576 characters"),
        ):
            with self.subTest(reason):
                path = self.folder / DAMAGED / "queues.csv"
                self.replace(make, path)
                done = call("plot", self.folder)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, rf"\A[^\n]*queues.csv: error: {reason}[^\n]*\n\Z")
                self.assertIn("message-cdf.png", done.stdout)

    def test_a_large_file_is_refused_by_its_size(self):
        os.truncate(self.record(), 1 << 29)
        self.check_left_out("has 536870912 bytes; expected at most")

    def test_keys_that_no_descriptor_has_are_refused(self):
        config = {"seed": 2, "balance": {"type": "rails"}}
        deep = leaf = {}
        for _ in range(300):
            leaf["a"] = leaf = {}
        for changes, reason in (
            ({"config": {**config, "x": deep}}, "nested too deeply"),
            ({"zz": deep}, "nested too deeply"),
            ({"config": {**config, "k" * 300: 1}}, "a key of 300 characters"),
            ({"config": {**config, "k" * 200: {"l" * 200: {"m" * 200: 1}}}}, "a key of more than 512 characters"),
            ({"name": "n" * 300}, "name: expected a name of at most 256 characters"),
            ({"config": {**config, "balance": {"type": "t" * 300}}}, "lacks config.balance.type, a name"),
        ):
            with self.subTest(reason):
                self.change(**changes)
                self.check_left_out(reason)
                shutil.rmtree(self.folder / DAMAGED)
                synthetic.write_point(self.folder / DAMAGED, "rails", 2, messages=20)

    def test_an_index_is_not_opened(self):
        shutil.copy(self.record(), self.folder / "index.sqlite")
        os.chmod(self.folder / "index.sqlite", 0)
        with mock.patch("sqlite3.connect", side_effect=AssertionError):
            self.assertEqual(call("report", self.folder).returncode, 0)

    def test_axes_without_end_are_no_grid(self):
        """Each point differs from the others in a key of its own: combinations of all are too many to count."""
        for number in range(40):
            keys = {f"topology.k{key}": int(key == number) for key in range(40)}
            synthetic.write_point(self.folder / f"x{number}", "rails", 1, config=keys, messages=5)
        done = call("plot", self.folder, "--format", "svg")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")


class Cost(Foreign):
    """Of inputs below 1 MB, beside what the program costs without them."""

    SECONDS, BYTES = 1, 256 << 20
    CONFIG = '"seed":2,"status":0,"cct_s":1,"lower_bound_s":1,"cct_over_bound":1'

    def texts(self):
        wide = ",".join(f'"k{number}":{number}' for number in range(50_000))
        yield "many keys", f'{{{self.CONFIG},"config":{{"balance":{{"type":"rails"}},{wide}}}}}'
        yield "lists", f'{{{self.CONFIG},"config":{{"balance":{{"type":"rails"}}}},"zz":[{",".join(["[]"] * 300_000)}]}}'
        long = ",".join(f'"{"k" * 200}{number}":1' for number in range(4000))
        yield "long keys", f'{{{self.CONFIG},"config":{{"balance":{{"type":"rails"}},"{"p" * 250}":{{{long}}}}}}}'
        yield "deep", '{"a":' * 160_000
        yield "a number", f'{{{self.CONFIG},"config":{{"balance":{{"type":"rails"}},"x":{"9" * 900_000}}}}}'
        yield "a text", f'{{{self.CONFIG},"name":"{"n" * 900_000}","config":{{"balance":{{"type":"rails"}}}}}}'
        yield "controls", f'{{{self.CONFIG},"report":"{chr(92)}u001b{"" + (chr(92) + "u202e") * 140_000}","config":{{"balance":{{"type":"rails"}}}}}}'
        yield "brackets", f'{{{self.CONFIG},"config":{{"balance":{{"type":"rails"}},"x":"{"[" * 900_000}"}}}}'

    def measure(self):
        """The seconds of the processor, and the bytes of memory, that reading takes."""
        program = (
            "import sys, resource; sys.path.insert(0, sys.argv[1]); from rails.plots.results import load\n"
            "from rails.errors import Error\n"
            "try: load(sys.argv[2])\nexcept Error: pass\n"
            "used = resource.getrusage(resource.RUSAGE_SELF); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
        )
        command = [sys.executable, "-c", program, str(PLOTS.parent / "python"), str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=_limit_memory)
        seconds, kilobytes = map(float, done.stdout.split())
        return seconds, kilobytes * 1024

    def test_it_goes_with_the_size(self):
        usual_s, usual_bytes = self.measure()
        for name, text in self.texts():
            with self.subTest(name):
                self.assertLess(len(text), 1_000_000)
                self.record().write_text(text)
                seconds, size = self.measure()
                self.assertLess(seconds - usual_s, self.SECONDS)
                self.assertLess(size - usual_bytes, self.BYTES)


class Text(Foreign):
    def check_plain(self, text):
        for character in (*map(chr, range(32)), "\x7f", "\x9b", BIDI, "\u2066"):
            if character not in "\n\t":
                self.assertNotIn(character, text)

    def test_no_control_character_leaves_a_program(self):
        nasty = f"a{ESC}b\nrails: error: c\r{BIDI}d\x9b"
        self.change(name=nasty, notes=[f"warning: {nasty}"], labels={"balance": nasty}, version={"module": nasty})
        self.change("balance=rails,seed=1", labels={"balance": nasty})
        odd = self.folder / f"x{ESC}{BIDI}\ny"
        shutil.copytree(self.folder / DAMAGED, odd)
        self.record(odd.name).write_text("{")
        failed = self.folder / f"z{ESC}"
        synthetic_failures.write_failure(failed, reason=nasty, last_lines=[nasty], command=nasty)
        synthetic_failures.write_sweep_record(self.folder, nasty, nasty)
        for path in sorted(self.folder.glob("*/queues.csv"))[:1]:
            path.write_text(f"port_class,bytes_high,seconds\n{nasty!r},1,{ESC}\n")
        page, table, latex, data = (self.place / f"out.{end}" for end in ("html", "csv", "tex", "json"))
        for words in (
            ("plot", self.folder, "--csv"),
            ("report", self.folder, "--out", page),
            ("compare", self.folder, "--by", "balance", "--csv", table, "--latex", latex, "--json", data),
            ("compare", self.folder, self.folder / "balance=ecmp,seed=1"),
        ):
            done = call(*words)
            self.assertIn(done.returncode, (0, 2))
            self.assertNotIn("defect", done.stderr)
            self.check_plain(done.stdout + done.stderr)
            for line in done.stderr.splitlines():
                self.assertNotRegex(line, r"^rails: error: c")
        for path in (page, table, latex, data, *self.folder.glob("figures/*.csv")):
            text = path.read_text("utf-8").partition("</main>")[0]
            self.check_plain(text)
        self.assertIn(r"a\x1b[2J\x07b", page.read_text("utf-8"))

    def test_long_texts_are_cut(self):
        self.change(status=3, report="word " * 100_000)
        done = call("plot", self.folder)
        self.assertLess(max(map(len, done.stderr.splitlines())), 10_100)

    def test_a_name_in_the_name_of_a_figure_leads_nowhere(self):
        for number, name in enumerate(("balance=ecmp,seed=1", "balance=rails,seed=1", DAMAGED)):
            config = json.loads(self.record(name).read_text())["config"]
            self.change(name, config={**config, "topology": {"/../../x\0y": number, "a" * 250: number * number}})
        done = call("plot", self.folder)
        self.assertEqual((done.returncode, done.stderr.count("defect")), (0, 0))
        for line in done.stdout.splitlines():
            if line.endswith(".png"):
                self.assertEqual(Path(line).parent, self.folder / "figures")


class Own(Foreign):
    """What these programs write replaces only what they have written."""

    def commands(self):
        out = self.place
        by = ("compare", self.folder, "--by", "balance")
        yield self.folder / "report.html", ("report", self.folder)
        yield out / "page.html", ("report", self.folder, "--out", out / "page.html")
        yield out / "a.csv", (*by, "--csv", out / "a.csv")
        yield out / "a.tex", (*by, "--latex", out / "a.tex")
        yield out / "a.json", (*by, "--json", out / "a.json")
        yield out / "b.json", ("compare", self.folder, self.folder / DAMAGED, "--json", out / "b.json")
        yield out / "e.csv", ("engines", self.folder, self.place / "flows", "--csv", out / "e.csv")
        for ending in ("png", "svg", "pdf"):
            yield self.folder / f"figures/cct.{ending}", ("plot", self.folder, "--format", ending)
        yield self.folder / "figures/message-cdf.csv", ("plot", self.folder, "--csv", "--format", "svg")
        yield self.folder / "figures/nic-load.csv", ("plot", self.folder, "--csv", "--format", "svg")

    def test_a_file_of_somebody_else_stays_without_force(self):
        synthetic.write_flows(self.place / "flows/a", "rails", 1, messages=20)
        self.change("balance=rails,seed=1", pfc_paused_s=0)
        for path, words in self.commands():
            with self.subTest(path.name):
                shutil.rmtree(self.folder / "figures", ignore_errors=True)
                path.parent.mkdir(exist_ok=True)
                path.write_text("my thesis, 1,2\n")
                with mock.patch("rails.plots.draw.style.house_style", side_effect=AssertionError("has begun to work")):
                    done = call(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"\A{path}: error: is there, and ./rails has not written it; .* --force\n\Z")
                self.assertEqual(path.read_text(), "my thesis, 1,2\n")
                is_figure = path.suffix in (".png", ".svg", ".pdf")
                self.assertIn(call(*words, "--force", pictures=is_figure).returncode, (0, 1))
                self.assertNotIn(b"my thesis", path.read_bytes())
                self.assertIn(call(*words).returncode, (0, 1))  # its own it replaces

    def test_an_empty_file_is_nothing_to_lose(self):
        page = self.place / "page.html"
        page.touch()
        self.assertEqual(call("report", self.folder, "--out", page).returncode, 0)

    def test_figures_and_notes_of_a_user_survive(self):
        figures = self.folder / "figures"
        figures.mkdir()
        names = ("notes.md", "cct-by-domains.png", "iteration.svg", "throughput.csv", "circuits.pdf")
        for name in names:
            (figures / name).write_text("mine")
        self.assertEqual(call("plot", self.folder, pictures=True).returncode, 0)
        for name in names:
            self.assertEqual((figures / name).read_text(), "mine")

    def test_a_copy_has_links_as_they_are(self):
        (self.folder / DAMAGED / "notes.txt").symlink_to("/etc/passwd")
        load_result(self.folder / DAMAGED).save(self.place / "copy")
        self.assertTrue((self.place / "copy/notes.txt").is_symlink())

    def test_no_link_in_a_gift_is_followed(self):
        secret = self.place / "secret"
        secret.write_text("secret")
        (self.folder / "report.html").symlink_to(secret)
        done = call("report", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("report.html: error: is a link; move it away, or replace it by --force", done.stderr)
        self.assertEqual(call("report", self.folder, "--force").returncode, 0)
        outside = self.place / "outside"
        outside.mkdir()
        (self.folder / "figures").symlink_to(outside)
        done = call("plot", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("figures: error: is a link out of the result; remove it, or follow it by --force", done.stderr)
        self.assertEqual((list(outside.iterdir()), secret.read_text()), ([], "secret"))


class Published(Foreign):
    """What people hand on tells nothing of their machine."""

    USER, HOST = "fakeuser", "fakehost"

    def test_nothing_names_a_folder_a_user_or_a_host(self):
        home = self.place / "home" / self.USER
        folder = home / "work/gift"
        folder.parent.mkdir(parents=True)
        self.folder.rename(folder)
        paths = (
            f"{home}/traces/load.csv",
            f"{folder}/own.csv",
            f"/home/{self.USER}/x.csv",
            f"/scratch/{self.HOST}/{self.USER}/trace.csv",
            f"file:///srv/{self.HOST}/a.csv",
        )
        for number, path in enumerate(paths):
            name = f"trace{number}"
            for scheme in ("ecmp", "rails"):
                config = {"workload.path": path, "workload.type": "x"}
                notes = [f"warning: {path}:1:2: has no header"]
                synthetic.write_point(folder / name / scheme, scheme, 1, config=config, messages=20, notes=notes, name=path)
        reason = f"{paths[3]}:1:2: error: no such file"
        command = f"{home}/rails/rails run {paths[0]} --out '{folder}/x'"
        synthetic_failures.write_failure(folder / "failed", reason=reason, last_lines=[reason], command=command)
        synthetic_failures.write_sweep_record(folder, paths[0], f"workload: {{path: {paths[3]}}}")
        record = json.loads((folder / ".rails/sweep.json").read_text())
        (folder / ".rails/sweep.json").write_text(json.dumps({**record, "source": f"{home}/x.yaml", "sets": [f"a={paths[1]}"]}))
        synthetic.write_flows(home / "flows/a", "rails", 1, messages=20)
        out = self.place / "out"
        out.mkdir()
        files = ("--csv", out / "a.csv", "--latex", out / "a.tex", "--json", out / "a.json")
        user = {"HOME": str(home), "USER": self.USER, "LOGNAME": self.USER, "HOSTNAME": self.HOST}
        with mock.patch.dict(os.environ, user), mock.patch("socket.gethostname", return_value=self.HOST):
            for words in (
                ("plot", folder, "--csv", "--format", "svg"),
                ("plot", folder / "trace3", "--csv", "--format", "svg"),
                ("plot", folder / "trace0", "--csv", "--format", "pdf", "--format", "png"),
                ("report", folder, "--out", out / "page.html"),
                ("report", folder / "trace3", folder / "trace0", "--out", out / "two.html"),
                ("compare", folder, "--by", "balance", *files),
                ("compare", folder, "--by", "workload.path", "--force", "--csv", out / "b.csv", "--latex", out / "b.tex"),
                ("compare", folder / "trace3", folder / "trace0", "--json", out / "c.json"),
                ("engines", folder, home / "flows", "--csv", out / "e.csv", "--figure", out / "e"),
            ):
                done = call(*words, pictures=True)
                self.assertIn(done.returncode, (0, 1, 2), done)
                self.assertNotIn("defect", done.stderr)
        written = [path for path in [*out.iterdir(), *folder.rglob("figures/*")] if path.is_file()]
        self.assertGreater(len(written), 20)
        for path in written:
            text = path.read_bytes().decode("utf-8", "replace").replace("\\_", "_")
            for name in (str(self.place), self.USER, self.HOST):
                self.assertFalse(name in text, f"{path.name}: {text[max(0, text.find(name) - 60) :][:100]}")
        text = (out / "page.html").read_text("utf-8")
        for told in ("~/traces/load.csv", "gift/own.csv", ".../trace.csv"):
            self.assertIn(told, text)


def _limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


if __name__ == "__main__":
    unittest.main()
