# SPDX-License-Identifier: GPL-2.0-only
"""Inputs of importers that no training has: each ends in a second, within 256 MB, with one line or a descriptor."""

import io
import json
import os
import sys
import unittest
from unittest import mock

from called import RAILS, ImportTest, notes_of
from hostile import ARGUMENTS, BEGIN, CONFIG, MEGABYTES, apart, call, faults, peak_megabytes

N = 900_000  # characters, less than 1 MB
RECIPE = "def x_config():\n    x = {}\n{}    cfg = ConfigContainer(model=x)\n    return cfg\n"


def chain(line, count):
    return "".join(line.format(i=i, j=i - 1) for i in range(1, count))


def recipe(first, line, count):
    return RECIPE.format(first, f"    {line}\n" * count)


def parts(text, size=N):
    return text * (size // len(text))


def config(more):
    return json.dumps(CONFIG)[:-1] + more + "}"


# By name: the file, and its text.
LARGE = {
    "variables doubled": ("a.sh", "A0=xxxxxxxx\n" + chain("A{i}=$A{j}$A{j}\n", 41) + "python a.py --hidden-size $A40\n"),
    "lists doubled in a script": ("a.sh", "A0=(x x)\n" + chain('A{i}=("${{A{j}[@]}}" "${{A{j}[@]}}")\n', 41) + BEGIN),
    "outputs doubled": ("a.sh", "f0() { echo xxxx; }\n" + chain("f{i}() {{ f{j}; f{j}; }}\n", 18) + "A=$(f17)\n" + BEGIN),
    "texts replaced": ("a.sh", f"A={parts('a', 300_000)}\nB=${{A//a/$A}}\n" + BEGIN),
    "process numbers": ("a.sh", f"X={parts('$$')}\n" + BEGIN),
    "lines of a script": ("a.sh", chain("A{i}=x\n", 40_000) + BEGIN),
    "commands of a script": ("a.sh", chain("echo x | cat\n", 40_000) + BEGIN),
    "subshells over variables": ("a.sh", chain("A{i}=x\n", 5_000) + chain("(x)\n", 40_000) + BEGIN),
    "a loop without end": ("a.sh", "while true; do A=$((A+1)); done\n" + BEGIN),
    "a growing list": ("a.sh", "while true; do A+=(x); B=${A[-1]}; done\n" + BEGIN),
    "a growing output": ("a.sh", "A=$(while true; do echo xxxxxxxxxxxxxxxx; done)\n" + BEGIN),
    "many parameters shifted": ("a.sh", f"set -- {parts('x ')}\nwhile shift; do :; done\n" + BEGIN),
    "blanks of a script": ("a.sh", f"echo a{parts(' ')}b\n" + BEGIN),
    "a word": ("a.sh", f"A={parts('x')}\n" + BEGIN),
    "dots": ("a.sh", f"echo {parts('.')}x\necho ${{A:-{parts('*')}}}\n"[:N] + "\n" + BEGIN),
    "braces": ("a.sh", f"echo {parts('{a,b}', 200)}\necho {parts('{1..9999}', 50)}\n" + BEGIN),
    "open brackets": ("a.sh", f"A={parts('$(')}\n" + BEGIN),
    "open braces": ("a.sh", f"A={parts('${A:-')}\n" + BEGIN),
    "case in commands": ("a.sh", parts("A=$(case x in x) echo y;; esac)\n") + BEGIN),
    "nested case": ("a.sh", f"A={'$(case x in x) echo ' * 18}{parts('y ')}{';; esac)' * 18}\n" + BEGIN),
    "here-documents": ("a.sh", f"A=$({''.join(f'cat <<A{i}{chr(10)}A{i}{chr(10)}' for i in range(50_000))})\n" + BEGIN),
    "continued lines": ("a.sh", parts("x \\\n") + "\n" + BEGIN),
    "commented examples": ("a.sh", parts("# bash a.sh \\\n") + "python a.py --num-layers $1\n"),
    "sums": ("a.sh", f"A=$(({parts('1+', 9_000)}1))\n" * 90 + BEGIN),
    "causes of causes": ("a.sh", chain("if [ $A{j} = x ]; then A{i}=1; else A{i}=2; fi\n", 15_000) + BEGIN),
    "choices of choices": (
        "a.sh",
        "A0=$(x)\n" + chain("if [ $A{j} = x ]; then A{i}=1$A{j}$A{j}; else A{i}=2$A{j}; fi\n", 200) + f"{BEGIN[:-1]} $A199\n",
    ),
    "sourced by itself": ("a.sh", ". ./a.sh\n" * 20 + BEGIN),
    "sourced from far": ("a.sh", f". /{parts('a/', 400_000)}b\n" * 2 + BEGIN),
    "folders below folders": ("a.sh", parts("cd aaaaaaaa\n") + "A=$PWD$(pwd)\n" + BEGIN),
    "evaluated": ("a.sh", f"A='{parts('x;', 400_000)}'\n" + 'eval "$A"\n' * 1000 + BEGIN),
    "many trainings": ("a.sh", chain("python a.py --num-layers 4 --a{i} 1\n", 20_000)),
    "many options": ("a.sh", BEGIN[:-1] + chain(" --a{i}", 80_000) + "\n"),
    "aliases doubled": (
        "a.yaml",
        "a0: &a0\n  - x\n  - x\n" + chain("a{i}: &a{i}\n  - *a{j}\n  - *a{j}\n", 31) + "num_layers: *a30\n",
    ),
    "aliases in a row": ("a.yaml", "a0: &a0 [x]\n" + chain("a{i}: &a{i}\n  - *a{j}\n", 30_000)),
    "maps merged": (
        "a.yaml",
        "a: &a\n" + chain("  k{i}: 1\n", 5_000) + chain("b{i}:\n  <<: *a\n", 5_000),
    ),
    "lines of YAML": ("a.yaml", chain("a{i}: x\n", 40_000)),
    "a list over lines": ("a.yaml", "a: [\n" + "  x,\n" * 40_000 + "]\n"),
    "a list that never ends": ("a.yaml", "a: [\n" + "  x,\n" * 40_000),
    "blanks of YAML": ("a.yaml", f"a{' ' * 60_000}b: 1\nc: [a{' ' * 60_000}b\n  ]\n"),
    "blanks and brackets": ("a.yaml", parts(f"a: [{' ' * 60_000}x]\n")),
    "properties": ("a.yaml", f"a: {parts('&a ')}x\n"),
    "quotes": ("a.yaml", "a: \"" + parts("\\\\") + "\"\nb: '" + "''" * 10 + "\n"),
    "long names in each other": (
        "a.yaml",
        "".join(f"{' ' * i}{'x' * 9_000}:\n" for i in range(50)) + chain(" " * 50 + "k{i}: 1\n", 4_000),
    ),
    "variables in YAML": ("a.yaml", f"a: {parts('$A')}\n"),
    "defaults without an end": ("a.yaml", f"num_layers: {parts('${A:-')}\n"),
    "numbers of YAML": ("a.yaml", f"num_layers: {parts('9')}\n"),
    "almost a number": ("a.yaml", f"num_layers: {parts('9')}x\n"),
    "flows as names": ("a.yaml", f"a: {'{' * 90}{parts('x, ', 300_000)}\n"),
    "lists doubled": ("a.py", recipe("[1]", "x = [x, x]", 40)),
    "numbers squared": ("a.py", recipe("1000000", "x = x * x", 40)),
    "tuples and maps doubled": ("a.py", recipe("(1,)", "x = (x, {1: x, 2: x})", 40)),
    "lists compared": ("a.py", recipe("[1]", "x = [x, x]", 15) .replace("    cfg", "    y = x == [*x]\n    cfg")),
    "lists added": ("a.py", recipe("[1]", "x = x + x", 40)),
    "lists multiplied": ("a.py", recipe("[1]", "x = x * 100", 40)),
    "configurations doubled": ("a.py", recipe("A()", "x = A(a=x, b=x)", 40)),
    "constants of constants": ("a.py", "A0 = 1\n" + chain("A{i} = [A{j}, A{j}]\n", 40) + recipe("A39", "pass", 1)),
    "functions that call twice": (
        "a.py", "def f0():\n    return 1\n" + chain("def f{i}():\n    f{j}()\n    return f{j}()\n", 40) + recipe("f39()", "pass", 1)
    ),
    "a configuration in itself": ("a.py", recipe("A()", "x.a = x", 1)),
    "what is not known, often": ("a.py", recipe(f"y.z({parts('a, ', 200_000)})", "w.a = x", 9_000)),
    "a long list": ("a.py", recipe(f"[{parts('1,', 500_000)}]", "pass", 1)),
    "a deep expression": ("a.py", recipe("-" * 400_000 + "1", "pass", 1)),
    "a chain of names": ("a.py", recipe(f"a{parts('.a', 400_000)}", "pass", 1)),
    "a chain of imports": ("a.py", f"from a{parts('.a', 60_000)} import b\n" + recipe("A()", "pass", 1)),
    "a chain of calls": ("a.py", recipe(f"a{'.f(1, 2, 3)' * 300}", "pass", 1)),
    "lines of a recipe": ("a.py", recipe("A()", "x.y = 1", 25_000)),
    "keys": ("a.json", config("".join(f', "k{i}": {i}' for i in range(40_000)))),
    "keys that speak of experts": ("a.json", config("".join(f', "expert_{i}": {i}' for i in range(30_000)))),
    "sections": ("a.json", config("".join(f', "moe_config{i}": {{"a": 1}}' for i in range(20_000)))),
    "objects in each other": ("a.json", config(', "a": ' + '{"a": ' * 900 + "1" + "}" * 900)),
    "lists in each other": ("a.json", config(', "a": ' + "[" * 900 + "]" * 900)),
    "a long list of JSON": ("a.json", config(f', "layer_types": [{parts("1,")}1]')),
    "a long name": ("a.json", config(f', "{parts("a")}": 1')),
    "escapes": ("a.json", config(f', "a": "{parts(chr(92) + "n")}"')),
    "braces of JSON": ("a.json", config(f', "a": [{parts("{},")}{{}}]')),
    "rows of numbers": ("a.conf", parts("A=1 \n") + "X=1\n"),
    "numbers of a row": ("a.conf", f"TP={parts('1')}\nX=1\n"),
    "columns": ("a.conf", f"# MODEL TP {parts('A ')}\n [a]='{parts('1 ', 1000)}'\n"),
}
MORE = {"columns": ["MODEL=a"], "variables in YAML": [f"A={'x' * 100_000}"]}
# Of numbers, NaN, wrong types: the words behind the file, and its text.
ARGUED = {
    "layers in letters": ["--pipeline-model-parallel-layout", f"E{'(' * 100_000}t"],
    "a pattern": ["--moe-layer-freq", "(" + "+".join(["[1]*100000"] * 400) + ")"],
}


class Large(ImportTest):
    def check(self, words):
        """What does not hold of an import in a process of its own, and what it says."""

        def lines():
            before = peak_megabytes()
            answer = call(words)
            used = peak_megabytes() - before
            more = [f"{used:.0f} MB"] if used > MEGABYTES - 30 else []  # a Python with this package has 30 MB
            return [*faults(*answer), *more]

        for _ in range(3):  # beside other programs a processor is slower
            found = apart(lines)
            if not found:
                break
        return found

    def test_a_second_and_256_megabytes(self):
        for name, (file, text) in LARGE.items():
            with self.subTest(name):
                self.assertLess(len(text), 1_000_000)
                kind = "hf" if file.endswith(".json") else "megatron"
                more = [] if kind == "hf" else ["--gpus", "8", *MORE.get(name, ())]
                self.assertEqual(self.check([kind, self.write(file, text), *more]), [])

    def test_arguments(self):
        for name, more in ARGUED.items():
            with self.subTest(name):
                self.assertEqual(self.check(["megatron", *ARGUMENTS.split(), *more]), [])


SIGNS = "\x1b]0;x\x07\x1b[31m\u202e\u2028\x85\ud800"
# What an import is refused for, and what it says; ARGUMENTS stand behind those that are no configurations.
REFUSED = {
    ("config.json", '{"num_hidden_layers": ' + "9" * 5000 + "}"): "a number of 5000 digits",
    ("config.json", json.dumps(CONFIG)[:-1] + ', "a": 1, "a": 1}'): "'a' stands twice",
    ("config.json", json.dumps({**CONFIG, "num_hidden_layers": [[4]]})): "expected a whole number",
    ("config.json", json.dumps({**CONFIG, "model_type": {"a": []}})): "expected a word",
    ("config.json", json.dumps({**CONFIG, f"moe_num_{SIGNS}": 1})[:-1]): "expected config.json",
    ("config.json", json.dumps(CONFIG) + "\0"): "expected config.json",
    ("a.yaml", "pipeline_model_parallel_layout: [1, [a]]\n"): "unexpected '1'",
    ("a.yaml", "a: {b: 1, b: 2}\n"): "'b' is given twice",
    ("a.yaml", f"a: 1\n{SIGNS[:-1]}\n"): "expected KEY: VALUE, found '\\x1b]0;x\\x07\\x1b[31m\\u202e",
    ("a.yaml", "moe_layer_freq: '[0]*4+[1]*²'\n"): "expected a pattern",
    ("a.sh", f"{BEGIN[:-1]} --moe-layer-freq '([1]*99999+[1]*99999)'\n"): "expected a pattern",
    ("a.sh", f"echo (\x1b[31m\n{BEGIN}"): "no bash that can be followed",
    ("a.py", recipe("A()", "y = x.f(0x" + "f" * 5000 + ")", 1)): "a number of more than 300 digits",
    ("a.py", "def x_config():\n    raise X('\\x1b[31m')\n"): "ends with an error of its own",
    ("a.py", "\0"): "it is no Python",
}
# What is followed all the same: wrong types and signs that are no digits.
TAKEN = (
    "shift ²\n[ -v ² ]\nprintf '%٣d' 1\nA=²; echo ${!A}\n",
    "source ./none\\0\n. /dev/zero\n",
    f"A='{SIGNS[:-1]}'\necho $A\n",
)


class Small(ImportTest):
    def test_what_is_refused_is_told_in_one_plain_line(self):
        for (name, text), told in REFUSED.items():
            with self.subTest(told):
                path = self.write(name, text)
                more = [] if name.endswith(".json") else ARGUMENTS.split() if name.endswith(".yaml") else []
                answer = call(["hf" if name.endswith(".json") else "megatron", path, *more])
                self.assertEqual((answer[0], faults(*answer)), (2, []), answer[1])
                self.assertIn(told, answer[2])

    def test_what_is_taken(self):
        for text in TAKEN:
            with self.subTest(text):
                path = self.write("a.sh", text + BEGIN)
                answer = call(["megatron", path])
                self.assertEqual((answer[0], faults(*answer)), (0, []), answer[2])
                self.assert_valid(answer[1])

    def test_text_that_is_no_utf_8(self):
        path = self.folder / "config.json"
        path.write_bytes(b'{"a": "\xff"}')
        self.assert_refused(["hf", path], "byte 7 is not UTF-8")

    def test_names_of_others_reach_neither_terminal_nor_descriptor_as_they_are(self):
        keys = {f"evil{SIGNS}key": 1, "nl\nname: injected": 3, "nul\0key": 5, "\ud800k": 1, "x" * 290: 1}
        status, text, said, taken = call(["hf", self.write("config.json", {**CONFIG, **keys})])
        self.assertEqual((status, faults(status, text, said, taken)), (0, []), said)
        for part in ("evil\\x1b]0;x\\x07\\x1b[31m\\u202e", "nl name: injected", "nul\\x00key", "\\ud800k", "xxx..."):
            self.assertIn(part, notes_of(text)[-1])
        self.assertEqual([line for line in text.split("\n") if line.startswith("name:")], ["name: ok"])
        self.assert_valid(text)

    def test_names_that_are_no_names_of_experiments(self):
        for name, written in {"a+b": "a-b", "été": "-t-", "..": "imported", "n" * 150: "n" * 100}.items():
            text = self.made("hf", self.write("config.json", CONFIG), "--name", name)
            self.assertEqual(text.split("name: ")[1].split("\n")[0].strip('"'), written)
            self.assert_valid(text)

    def test_numbers_that_no_descriptor_has(self):
        for words in (
            "--gpus 1000000 --global-batch-size 1000000",
            "--mtp-num-layers 101",
            "--seq-length 16777216",
            "--hidden-size 100000000",
            "--expert-model-parallel-size 2 --moe-expert-capacity-factor 1e-9",
            "--overlap-grad-reduce --ddp-bucket-size 1e300",
            "--overlap-grad-reduce --ddp-bucket-size -5",
            "--expert-model-parallel-size 2 --moe-token-dispatcher-type flex --moe-flex-dispatcher-num-sms 132",
        ):
            with self.subTest(words):
                self.assert_refused(["megatron", *ARGUMENTS.split(), *words.split()])

    def test_nothing_but_files_is_read(self):
        fifo = str(self.folder / "p.json")
        os.mkfifo(fifo)
        for path, told in ((fifo, "a device or a pipe"), ("/dev/zero", "a device or a pipe")):
            self.assert_refused(["hf", path], f"{path}: error: this is {told}")
            self.assert_refused(["megatron", "--hf", path], f"{path}: error: this is {told}")
        for kind in ("yaml", "sh", "py", "conf"):
            path = str(self.folder / f"p.{kind}")
            os.mkfifo(path)
            self.assert_refused(["megatron", path, *ARGUMENTS.split()], f"{path}: error: this is a device or a pipe")
        folder = self.folder / "folder.yaml"
        folder.mkdir()
        self.assert_refused(["megatron", folder], f"{folder}: error: this is a folder")
        self.assert_refused(["megatron", self.folder.with_name("model.yaml")], "No such file")

    def test_a_file_that_is_too_large_is_not_read(self):
        path = self.folder / "config.json"
        with open(path, "wb") as file:
            file.truncate(1 << 40)  # of which the disk keeps nothing
        self.assert_refused(["hf", path], "it is larger than 4096 KiB")

    def test_standard_input(self):
        with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CONFIG).encode()))):
            self.assertIn("name: ok\n", self.made("hf", "-"))
        with open("/dev/zero", encoding="utf-8") as zero, mock.patch.object(sys, "stdin", zero):
            self.assert_refused(["hf", "-"], "it is larger than 4096 KiB")


class Written(ImportTest):
    """The file of --out."""

    def setUp(self):
        super().setUp()
        self.config = self.write("config.json", CONFIG)
        self.out = self.folder / "out.yaml"

    def test_one_of_its_own_is_replaced(self):
        for name in ("a", "b"):
            self.made("hf", self.config, "--out", self.out, "--name", name)
            self.assertIn(f"name: {name}\n", self.out.read_text("utf-8"))
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"config.json", "out.yaml"})

    def test_another_one_is_refused_without_force(self):
        for content in (b"mine", b"", b"\xff", b"# A training of mine\nname: x\n"):
            self.out.write_bytes(content)
            self.assert_refused(["hf", self.config, "--out", self.out], "it is there already", "; --force replaces it")
            self.assertEqual(self.out.read_bytes(), content)
        self.made("hf", self.config, "--out", self.out, "--force")
        self.assertIn("name: ok\n", self.out.read_text("utf-8"))

    def test_a_link_is_not_followed(self):
        other = self.folder / "other"
        for content in ("mine", self.made("hf", self.config)):
            other.write_text(content, "utf-8")
            self.out.unlink(missing_ok=True)
            self.out.symlink_to(other)
            self.assert_refused(["hf", self.config, "--out", self.out], "it is there already")
            self.made("hf", self.config, "--out", self.out, "--force")
            self.assertFalse(self.out.is_symlink())
            self.assertEqual(other.read_text("utf-8"), content)

    def test_a_link_at_a_name_that_can_be_guessed_is_not_followed(self):
        other = self.folder / "other"
        other.write_text("mine")
        (self.folder / f".out.yaml.{os.getpid()}").symlink_to(other)
        self.made("hf", self.config, "--out", self.out)
        self.assertEqual(other.read_text(), "mine")

    def test_a_folder(self):
        self.assert_refused(["hf", self.config, "--out", self.folder], "it is there already")

    def test_a_name_with_a_sign_is_escaped(self):
        status, text, said, _ = call(["hf", self.config, "--out", str(self.folder / "a\x1b[31m.yaml")])
        self.assertEqual(status, 0, said)
        self.assertTrue(text.endswith("a\\x1b[31m.yaml\n"), text)


@unittest.skipIf(RAILS is None, "RAILS_EXPERIMENT does not name the program")
class Named(ImportTest):
    """Names with a path, in functions that notebooks call."""

    def test_a_path_in_the_place_of_a_name_is_refused_and_nothing_is_written(self):
        import rails

        fabric = {"topology": {"type": "rail", "domains": 2, "gpus_per_domain": 2}}
        whole = {**fabric, "workload": {"type": "all-to-all", "matrix": {"type": "uniform"}}, "balance": "ecmp"}
        for name in (str(self.folder / "new" / "planted"), "../planted", "a/b", ".", ".hidden", "a\n"):
            for call_it in (rails.cost, rails.validate, rails.run, rails.sweep):
                with self.subTest(f"{call_it.__name__} {name}"), self.assertRaisesRegex(rails.Error, "a name is made of letters"):
                    call_it({**whole, "name": name})
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
