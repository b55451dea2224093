# SPDX-License-Identifier: GPL-2.0-only
"""
Recipes of Megatron-Bridge: Python functions that fill a configuration. Nothing of them is run: assignments are
read, also those of functions that they call, where these are in the file or in the checkout around it.
"""

import ast
import itertools
import re
import warnings
from pathlib import Path

from ..reader.nearest_name import suggest
from .errors import ImportRefused, shown
from .megatron_yaml import SECTIONS, in_order
from .values import Value

_DEEPEST = 60  # calls
_LARGEST = 512 << 10  # bytes of a file
_MOST_PARTS = 500  # of a.b.c
_LONGEST = 1000  # characters of an expression that is not known
_TOKEN = re.compile(r"\w+|[^\w\s]")
_METHODS = {"from_hf_pretrained", "from_hf_config"}


class Unknown:
    """What cannot be known without running: an expression, as it is written."""

    def __init__(self, text):
        self.text = text


class Node:
    """An object with attributes; an empty one may have others that are not known."""

    def __init__(self, name="", text=""):
        self.name = name
        self.text = text  # the call that made it
        self.origin = Value(name, name)
        self.attributes = {}  # name: Node, or a Value


class _Raised(Exception):
    """A recipe's own error."""


class _Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


def read_recipe(path, name, budget):
    """
    Pairs of a setting and its value, the model's name on the Hub, the recipe's name, and what was not followed.

    :param name: of the recipe; None where the file has a single one
    """
    module = _Module(Path(path), _root_of(Path(path)), budget)
    recipes = [found for found in module.functions if found.endswith("_config") and not found.startswith("_")]
    if name is None and len(recipes) != 1:
        found = f"; known: {', '.join(recipes)}" if recipes else ""
        raise ImportRefused(path, f"it has {len(recipes)} recipes, functions NAME_config: give --recipe NAME{found}")
    name = name or recipes[0]
    if name not in module.functions:
        raise ImportRefused(path, f"it has no recipe {shown(name)}{suggest(name, recipes)}")
    reader, place = _Reader(budget), f"{path}:{module.functions[name].lineno}"
    try:
        made = reader.call(module, name, [], {})
        flat = dict(_flat(made, budget)) if isinstance(made, Node) else None
    except RecursionError as error:
        raise ImportRefused(path, f"{name} calls itself, or is nested too deeply") from error
    except _Raised as error:
        raise ImportRefused(path, f"{name} ends with an error of its own: {error}") from error
    if flat is None:
        raise ImportRefused(place, f"{name} returns no configuration that can be read")
    hub = flat.pop("model.hf_model_id", None)
    hub = hub if hub and isinstance(hub.value, str) else None
    return flat, hub, Value(name, f"{Path(path).name}: {name}", place), reader.skipped


def settings_of_recipe(flat, overrides):
    """The pairs of a recipe in the order in which they count."""
    return in_order({**flat, **dict(overrides)}.items())


def gpus_of(name):
    """How many GPUs a recipe is for, by its name."""
    found = re.search(r"_([0-9]+)gpu_", name.value)
    return name.but(int(found.group(1))) if found else None


def gpu_of(name):
    """The kind of GPU that a recipe is for, by its name; empty where it is the one that rails takes or unknown."""
    found = re.search(r"_[0-9]+gpu_([a-z]+[0-9]+[a-z]*)_", name.value)
    return found.group(1) if found and found.group(1) != "h100" else ""


def _root_of(path):
    """The folder that modules are imported from; None outside of a checkout."""
    parts = path.resolve().parts
    for number in range(len(parts) - 1, 0, -1):
        if parts[number] == "megatron" and parts[number + 1 : number + 2] == ("bridge",):
            return Path(*parts[:number])
    return None


def _flat(node, budget, before=""):
    for name, value in node.attributes.items():
        budget.spend(40 + len(before))
        if isinstance(value, Node):
            if before and not value.attributes and value.text:
                yield before + name, value.origin.but(f"${{{value.text}}}")
            elif value.name and name == "mixed_precision":
                yield name, value.origin
            yield from _flat(value, budget, f"{before}{name}.")
        else:
            yield before + name, value


class _Module:
    """The functions of a file and what its names are imported from."""

    def __init__(self, path, root, budget):
        self.path, self.root = path, root
        text = budget.read(path, _LARGEST).replace("\r\n", "\n").replace("\r", "\n")  # as Python counts lines
        tokens = _TOKEN.findall(text)
        budget.spend(16 * len(tokens))  # each takes some 900 bytes
        if _longest_chain(tokens) > _MOST_PARTS:  # of which Python makes a text for each dot
            budget.refuse(f"a name of more than {_MOST_PARTS} parts with dots between them")
        try:
            with warnings.catch_warnings():  # of Python, which show the text
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except SyntaxError as error:
            raise ImportRefused(f"{path}:{error.lineno}:{error.offset}", f"it is no Python: {error.msg}") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ImportRefused(path, f"it is no Python that can be read: {error}") from error
        self._starts = [0, *itertools.accumulate(len(line.encode()) + 1 for line in text.split("\n"))]
        self.functions = {part.name: part for part in tree.body if isinstance(part, ast.FunctionDef)}
        self.constants = {}
        self.imports = {}
        for part in tree.body:
            self.add(part)

    def extent(self, node):
        """How many bytes a node is written in."""
        begin, end = (self._starts[min(line, len(self._starts)) - 1] for line in (node.lineno, node.end_lineno))
        return end + node.end_col_offset - begin - node.col_offset

    def add(self, part):
        if isinstance(part, ast.ImportFrom) and not part.level:
            for alias in part.names:
                self.imports[alias.asname or alias.name] = (part.module, alias.name)
        elif isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            self.constants[part.targets[0].id] = part.value


class _Reader:
    """Follows the statements of functions."""

    def __init__(self, budget):
        self.skipped = {}  # what was not followed: names of what it sets by a line
        self._budget = budget
        self._modules = {}
        self._depth = 0
        self._sizes = {}  # of lists and their like, with these, by id()

    def call(self, module, name, arguments, keywords):
        function = module.functions[name]
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RecursionError
        parameters = [*function.args.posonlyargs, *function.args.args]
        self._budget.spend(20 + len(parameters) + len(function.args.kwonlyargs))
        names = {}
        defaults = function.args.defaults
        for parameter, default in zip(parameters[len(parameters) - len(defaults) :], defaults):
            names[parameter.arg] = self._value(default, module, {})
        for parameter, default in zip(function.args.kwonlyargs, function.args.kw_defaults):
            names[parameter.arg] = self._value(default, module, {}) if default else Unknown(parameter.arg)
        names.update(zip([parameter.arg for parameter in parameters], arguments))
        names.update(keywords)
        try:
            self._follow(function.body, module, names)
        except _Return as end:
            return end.value
        finally:
            self._depth -= 1
        return None

    def _follow(self, statements, module, names):
        for statement in statements:
            self._budget.place = f"{module.path}:{statement.lineno}"
            self._budget.spend(20)
            if isinstance(statement, ast.Return):
                raise _Return(self._value(statement.value, module, names) if statement.value else None)
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self._assign(statement, module, names)
            elif isinstance(statement, ast.Expr):
                self._value(statement.value, module, names)
            elif isinstance(statement, ast.If):
                self._choose(statement, module, names)
            elif isinstance(statement, ast.With):
                self._follow(statement.body, module, names)
            elif isinstance(statement, ast.Try):
                try:
                    self._follow(statement.body, module, names)
                except _Raised:
                    self._follow(statement.handlers[0].body if statement.handlers else [], module, names)
            elif isinstance(statement, ast.Raise):
                raise _Raised(self._written(statement, module))
            elif isinstance(statement, ast.ImportFrom):
                module.add(statement)
            elif isinstance(statement, (ast.For, ast.While, ast.AugAssign)):
                self._skip(statement, module, "a loop", self._sets(statement, module))

    def _choose(self, statement, module, names):
        value = self._value(statement.test, module, names)
        if isinstance(value, Unknown):
            self._skip(statement, module, f"what depends on {shown(self._written(statement.test, module))}", self._sets(statement, module))
        else:
            self._follow(statement.body if value else statement.orelse, module, names)

    def _skip(self, statement, module, what, names=None):
        """Notes what is not followed. :param names: of what it sets; None where that is not known"""
        self.skipped[f"{module.path.name}:{statement.lineno}: {what}"] = names

    def _assign(self, statement, module, names):
        if statement.value is None:
            return
        value = self._value(statement.value, module, names)
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if isinstance(target, ast.Name):
                names[target.id] = value
            elif isinstance(target, ast.Attribute):
                owner = self._value(target.value, module, names)
                if isinstance(owner, Node):
                    owner.attributes[target.attr] = self._kept(value, target, statement, module)

    def _bare(self, value):
        """A value without the objects of this reader."""
        if isinstance(value, (list, tuple)):
            self._budget.spend(4)
            return [self._bare(part) for part in value]
        if isinstance(value, Unknown):
            return value.text.removeprefix("torch.") if value.text.startswith("torch.") else f"${{{value.text}}}"
        if isinstance(value, Value):
            return value.value
        return value if isinstance(value, (str, int, float, bool, type(None))) else None

    def _kept(self, value, target, statement, module):
        """A value as it is kept in a configuration: with where it was set."""
        name = self._written(target, module).partition(".")[2] or target.attr
        place = f"{module.path}:{statement.lineno}"
        if isinstance(value, Node):
            value.origin = Value(value.name, f"{module.path.name}: {name}", place)
            return value
        return Value(self._bare(value), f"{module.path.name}: {name}", place)

    def _value(self, node, module, names):
        """The value of an expression, as far as it can be known."""
        self._budget.spend(4)
        if isinstance(node, ast.Constant):
            return self._budget.number(node.value)
        if isinstance(node, ast.List):
            return self._made([self._value(part, module, names) for part in node.elts])
        if isinstance(node, ast.Tuple):
            return self._made(tuple(self._value(part, module, names) for part in node.elts))
        if isinstance(node, ast.Dict):
            return self._dict(node, module, names)
        if isinstance(node, ast.Subscript):
            return self._element(node, module, names)
        if isinstance(node, ast.ListComp):
            return self._list_of(node, module, names)
        if isinstance(node, ast.Name):
            return self._name(node, module, names)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, module, names)
        if isinstance(node, ast.Call):
            return self._call(node, module, names)
        if isinstance(node, ast.BinOp):
            return self._operation(node, module, names)
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand, module, names)
            if isinstance(node.op, ast.Not) and not isinstance(value, Unknown):
                return not value
            if isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
                return -value
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison(node, module, names)
        if isinstance(node, ast.BoolOp):
            return self._both(node, module, names)
        if isinstance(node, ast.IfExp):
            value = self._value(node.test, module, names)
            if not isinstance(value, Unknown):
                return self._value(node.body if value else node.orelse, module, names)
        return self._unknown(node, module)

    def _dict(self, node, module, names):
        found = {}
        for key, value in zip(node.keys, node.values):
            name = self._value(key, module, names) if key else None
            if isinstance(name, (str, int, tuple)) and _is_key(name):
                found[name] = self._value(value, module, names)
        return self._made(found)

    def _made(self, value):
        """A list or its like, which counts with all that it holds."""
        size = self._size(value)
        self._budget.make(size)
        self._sizes[id(value)] = (size, value)
        return value

    def _size(self, value):
        """How many values one is, with all that it holds."""
        if not isinstance(value, (list, tuple, dict)):
            return 1 + len(value) // 64 if isinstance(value, str) else 1
        if id(value) in self._sizes:
            return self._sizes[id(value)][0]
        return 1 + sum(map(self._size, value.values() if isinstance(value, dict) else value))

    def _written(self, node, module):
        """An expression as it is written, about."""
        self._budget.spend(20 + 4 * module.extent(node))
        try:
            return ast.unparse(node)
        except ValueError:
            return self._budget.refuse("a number of more than 300 digits")

    def _unknown(self, node, module):
        text = self._written(node, module)
        return Unknown(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")

    def _sets(self, statement, module):
        """The names of attributes that a statement sets; None where it calls functions that may set any."""
        self._budget.spend(module.extent(statement))
        parts = list(ast.walk(statement))
        if any(isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) for part in parts):
            return None
        return {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}

    def _list_of(self, node, module, names):
        """A list of what is made of each element of another one."""
        part = node.generators[0]
        elements = self._value(part.iter, module, names)
        is_simple = len(node.generators) == 1 and not part.ifs and isinstance(part.target, ast.Name)
        if not is_simple or not isinstance(elements, (list, tuple)):
            return self._unknown(node, module)
        self._budget.spend(len(elements) * (1 + len(names) // 8))
        return self._made([self._value(node.elt, module, {**names, part.target.id: element}) for element in elements])

    def _element(self, node, module, names):
        owner, key = self._value(node.value, module, names), self._value(node.slice, module, names)
        try:
            return owner[key] if isinstance(owner, (dict, list, tuple)) else self._unknown(node, module)
        except (KeyError, IndexError, TypeError):
            return self._unknown(node, module)

    def _name(self, node, module, names):
        if node.id in names:
            return names[node.id]
        if node.id in module.constants:
            return self._value(module.constants[node.id], module, {})
        where, name = self._resolve(module, node.id)
        if where and name in where.constants:
            return self._value(where.constants[name], where, {})
        return Unknown(node.id)

    def _attribute(self, node, module, names):
        owner = self._value(node.value, module, names)
        if not isinstance(owner, Node):
            return self._unknown(node, module)
        found = owner.attributes.get(node.attr)
        if found is None:
            if node.attr not in SECTIONS:
                return self._unknown(node, module)
            found = owner.attributes[node.attr] = Node()  # of a configuration that was not followed
        return found.value if isinstance(found, Value) else found

    def _operation(self, node, module, names):
        left, right = (self._value(part, module, names) for part in (node.left, node.right))
        if isinstance(node.op, ast.Add) and isinstance(left, list) and isinstance(right, list):
            self._budget.make(self._size(left) + self._size(right))
            return self._made(left + right)
        if isinstance(node.op, ast.Mult) and isinstance(left, list) and isinstance(right, int):
            self._budget.make(self._size(left) * max(right, 0))
            return self._made(left * right)
        if all(isinstance(part, int) for part in (left, right)):
            if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
                made = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}[type(node.op)]
                return self._budget.number(made)
            if isinstance(node.op, ast.FloorDiv) and right:
                return left // right
        return self._unknown(node, module)

    def _comparison(self, node, module, names):
        left, right = self._value(node.left, module, names), self._value(node.comparators[0], module, names)
        self._budget.spend(self._size(left) + self._size(right))
        kind = type(node.ops[0])
        if isinstance(left, Node) and right is None and kind in (ast.Is, ast.IsNot):
            return kind is ast.IsNot
        if any(isinstance(part, (Unknown, Node)) for part in (left, right)):
            return self._unknown(node, module)
        try:
            known = {
                ast.Is: lambda: left is right,
                ast.IsNot: lambda: left is not right,
                ast.Eq: lambda: left == right,
                ast.NotEq: lambda: left != right,
                ast.Gt: lambda: left > right,
                ast.Lt: lambda: left < right,
                ast.GtE: lambda: left >= right,
                ast.LtE: lambda: left <= right,
                ast.In: lambda: left in right,
                ast.NotIn: lambda: left not in right,
            }
            return known[kind]()
        except TypeError:
            return self._unknown(node, module)

    def _both(self, node, module, names):
        is_and, value = isinstance(node.op, ast.And), None
        for part in node.values:
            value = self._value(part, module, names)
            if isinstance(value, Unknown) or bool(value) != is_and:
                return value
        return value

    def _call(self, node, module, names):
        arguments = [self._value(part, module, names) for part in node.args if not isinstance(part, ast.Starred)]
        keywords = {part.arg: self._value(part.value, module, names) for part in node.keywords if part.arg}
        function = node.func
        if isinstance(function, ast.Attribute):
            if function.attr in _METHODS and arguments and isinstance(arguments[0], str):
                made = Node(function.attr)
                made.attributes["hf_model_id"] = self._valued(arguments[0], function.attr, node, module)
                return made
            owner = self._value(function.value, module, names)
            if function.attr == "to_megatron_provider" and isinstance(owner, Node):
                return owner
            return self._unknown(node, module)
        if not isinstance(function, ast.Name):
            return self._unknown(node, module)
        return self._call_by_name(function.id, arguments, keywords, node, module)

    def _call_by_name(self, name, arguments, keywords, node, module):
        if name in ("getattr", "hasattr") and len(arguments) > 1 and isinstance(arguments[0], Node) and _is_key(arguments[1]):
            found = arguments[0].attributes.get(arguments[1])
            if name == "hasattr":
                return found is not None or self._unknown(node, module)
            if found is None:
                return arguments[2] if len(arguments) > 2 else self._unknown(node, module)
            return found.value if isinstance(found, Value) else found
        if name == "apply_flex_dispatcher_backend" and len(arguments) == 2 and isinstance(arguments[0], Node):
            return self._apply_dispatcher(arguments, node, module)
        if name in module.functions:
            return self.call(module, name, arguments, keywords)
        where, known = self._resolve(module, name)
        if where and known in where.functions:
            return self.call(where, known, arguments, keywords)
        if name in ("float", "int") and arguments and isinstance(arguments[0], (int, float)):
            return arguments[0]
        if name in ("list", "tuple", "len") and len(arguments) == 1 and isinstance(arguments[0], (list, tuple)):
            made = {"list": list, "tuple": tuple, "len": len}[name](arguments[0])
            return made if name == "len" else self._made(made)
        if name == "isinstance" and len(node.args) == 2 and self._written(node.args[1], module) == "str" and arguments:
            return isinstance(arguments[0], str)
        if name in ("isinstance", "len", "str", "bool", "set", "list", "dict", "tuple", "print"):
            return self._unknown(node, module)
        if name[:1].islower() or name[:1] == "_":
            self._skip(node, module, f"{name}() is not in this file, so what it sets is not known")
        made = Node(name, self._written(node, module))
        for key, value in keywords.items():
            is_value = not isinstance(value, Node)
            made.attributes[key] = self._valued(value, f"{name} {key}", node, module) if is_value else value
        return made

    def _valued(self, value, name, node, module):
        return Value(self._bare(value), f"{module.path.name}: {name}", f"{module.path}:{node.lineno}")

    def _apply_dispatcher(self, arguments, node, module):
        """What Megatron-Bridge does with the kernels that a recipe wants: they replace the dispatcher."""
        model, backend = arguments
        if backend in ("deepep", "hybridep"):
            place = f"{module.path}:{node.lineno}"
            origin = f"{module.path.name}: apply_flex_dispatcher_backend"
            model.attributes["moe_token_dispatcher_type"] = Value("flex", origin, place)
            model.attributes["moe_flex_dispatcher_backend"] = Value(backend, origin, place)
            model.attributes["moe_shared_expert_overlap"] = Value(False, origin, place)

    def _resolve(self, module, name):
        """The module of a checkout that a name is imported from, and its name there."""
        seen = set()
        while name in module.imports and (module.path, name) not in seen:
            seen.add((module.path, name))
            source, name = module.imports[name]
            path = self._path_of(module, source)
            if path is None:
                return None, name
            if path not in self._modules:
                self._modules[path] = _Module(path, module.root, self._budget)
            module = self._modules[path]
            if name in module.functions or name in module.constants:
                return module, name
        return None, name

    def _path_of(self, module, source):
        if module.root is None or not source:
            return None
        self._budget.spend(100)
        base = module.root.joinpath(*source.split("."))
        return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _longest_chain(tokens):
    """How many dots the longest name with dots has."""
    most = count = 0
    is_behind = False  # a dot
    for token in tokens:
        if token == ".":
            count, is_behind = count + 1, True
            most = max(most, count)
        elif not is_behind and token != "\\":
            count = 0
        else:
            is_behind = False
    return most


def _is_key(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True
