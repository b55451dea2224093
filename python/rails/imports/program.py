# SPDX-License-Identifier: GPL-2.0-only
"""./rails import: reads what it is given, writes a descriptor, says what is not in it."""

import os
import re
import sys
from pathlib import Path

from ..ending import BAD_INPUT, complain, end_with
from ..reader.result_files import write_at_once
from . import (
    hugging_face,
    megatron,
    megatron_model,
    megatron_precision,
    megatron_yaml,
    model_zoo,
    parameters,
    recipe,
    remedy,
    script,
    training,
)
from .budget import STDIN, Budget
from .command_line import as_setting, sort_words
from .descriptor import is_written, write
from .errors import ImportRefused, note, printable, shown
from .values import Value, as_count

_USAGE = """\
Usage: ./rails import hf CONFIG [ARGUMENT]... [OPTION]...
       ./rails import megatron [FILE]... [PARAMETER]... [NAME=VALUE]... [ARGUMENT]... [OPTION]...

Writes a descriptor of a training, each value with its origin; what it cannot say is listed (doc/import.rst).

  CONFIG         config.json of Hugging Face, params.json of Mistral; a folder that has one
  FILE           YAML of Megatron-LM or Megatron-Bridge, MODEL_ARGS and runtime.conf of Megatron-MoE-ModelZoo,
                 a shell script (.sh), a recipe of Megatron-Bridge (.py), config.json of the model
  PARAMETER      of a shell script in front of it, as on its own command line
  NAME=VALUE     a variable of these, such as TP=2; a setting of Megatron-Bridge, such as train.global_batch_size=256
  ARGUMENT       an argument of Megatron, such as --tensor-model-parallel-size 2; counts more than files

  --hf CONFIG    the model; arguments count more
  --recipe NAME  which function of a recipe
  --arguments "WORDS"  parameters of a shell script, where one begins with a dash
  --gpus N       how many there are, where nothing says it or it says something else
  --name NAME    what the model is called
  --parameters N how many it has, such as 235B-A22B: all, and those that a token meets; told where it has others
  --out FILE     where the descriptor goes (default: standard output); one that import wrote is replaced
  --force        replaces any other file too

CONFIG is - for standard input.
"""


def main(arguments=None):
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words or "--help" in words or "-h" in words:
        print(_USAGE, end="", file=sys.stdout if words else sys.stderr)
        return 0 if words else BAD_INPUT
    if words[0] not in ("hf", "megatron"):
        raise ImportRefused(
            "./rails import", f"expected hf or megatron, found {shown(words[0])}; ./rails import --help tells all"
        )
    budget = Budget()
    try:
        made, out, force = _read(words, budget)
    except ImportRefused as error:
        raise ImportRefused(error.place, error.reason + remedy.working(words, error, budget, _read)) from error
    made.unmapped = [note(line) for line in made.unmapped]
    text = write(made)
    if out:
        _write(out, text, force)
        print(printable(out))
    else:
        print(text, end="")
    for line in made.unmapped:
        complain(f"note: not in the descriptor: {line}")
    return 0


def _read(words, budget):
    """The training that words describe, and the file that it goes to."""
    config = [word for word in words[1:2] if words[0] == "hf" and (word == STDIN or not word.startswith("-"))]
    given = sort_words(words[1 + len(config) :])
    given.files += [("json", path) for path in config]
    made = _make(words[0], given, budget)
    training.check(made)
    _compare_parameters(made, given.own.get("--parameters"))
    return made, given.own.get("--out"), "--force" in given.own


def _make(kind, given, budget):
    """The training that the words of a command line describe."""
    configs = [path for found, path in given.files if found == "json"]
    files = [pair for pair in given.files if pair[0] != "json"]
    config = given.own.get("--hf") or (configs[0] if configs else None)
    if kind == "hf" and config is None:
        raise ImportRefused("./rails import hf", "it needs config.json of a model: ./rails import hf CONFIG")
    if len(configs) + ("--hf" in given.own) > 1:
        raise ImportRefused("./rails import", f"several models: {', '.join(configs)}; expected one")
    model = hugging_face.read_model(config, budget) if config else None
    name = given.own.get("--name")
    if name is not None and not re.fullmatch(r"[\w.+-]{1,200}", name):
        raise ImportRefused("--name", f"expected letters, digits, and any of . + - _, at most 200, found {shown(name)}")
    gpus = Value(given.own["--gpus"], "--gpus", "--gpus") if "--gpus" in given.own else None
    gpus = gpus and gpus.but(as_count(gpus))
    if not files and not given.arguments and not given.overrides and not given.variables:
        if model is None:
            raise ImportRefused(
                "./rails import megatron", "it needs files or arguments; ./rails import --help tells all"
            )
        model.label = name or model.label
        return training.of_model(model, _source([config], given), gpus)
    made = _read_files(files, given, model, gpus, config, budget)
    made.model.label = name or made.model.label
    return made


def _compare_parameters(made, claimed):
    if claimed is None:
        return
    if parameters.sizes_of(claimed) == (None, None):
        told = f"expected numbers such as 235B-A22B or 671B, of at most 300 digits, found {shown(claimed)}"
        raise ImportRefused("--parameters", told)
    if made.model.is_named:
        raise ImportRefused("--parameters", f"the model is {made.model.type} of rails, of which it is known")
    made.unmapped += parameters.compare(made.model, claimed, f"--parameters {claimed}")


def _source(paths, given):
    """What a training is from, in words."""
    told = [Path(path).name for path in paths if path]
    told += ["a command line"] if given.arguments or given.overrides or given.variables else []
    return " and ".join(filter(None, [", ".join(told[:-1]), *told[-1:]]))


def _read_files(files, given, model, gpus, config, budget):
    """A training of Megatron from files, variables and arguments, the later ones of which count more."""
    variables, pairs, skipped, label, gpu = dict(given.variables), [], {}, None, ""
    for kind, path in files:
        if kind == "conf":
            names = [Path(other).stem for found, other in files if found == "yaml"]
            chosen = given.variables.get("MODEL")
            chosen = chosen.value if chosen else names[0] if names else None
            variables = model_zoo.read_variables(path, variables, chosen, budget)
            files = files + _yaml_beside(path, variables) if not names else files
    texts = [(path, budget.read(path)) for kind, path in files if kind == "script"]
    scripts, elsewhere = {}, []
    if texts:
        scripts, elsewhere = script.read_arguments(texts, variables, given.parameters, model is not None, budget)
    for kind, path in files:
        if kind == "yaml":
            pairs += megatron_yaml.read_settings(path, variables, budget)
            label = label or _named(path)
        elif kind == "script":
            pairs += scripts[path]
            label = label or _named(path)
        elif kind == "recipe":
            flat, hub, title, skipped = recipe.read_recipe(path, given.own.get("--recipe"), budget)
            model = model or (hub and megatron_model.known_model(hub)) or megatron_model.known_model(title)
            _need_model(model, hub, flat)
            if model and hub and _as_label(hub):
                model.label = _as_label(hub).value
            gpus, gpu = gpus or recipe.gpus_of(title), recipe.gpu_of(title)
            pairs += recipe.settings_of_recipe(flat, given.overrides)
            label = label or hub or title
    if any(kind == "conf" for kind, _ in files):
        pairs += model_zoo.arguments_of(variables, pairs)
    if given.overrides and not any(kind == "recipe" for kind, _ in files):
        pairs += megatron_yaml.in_order(given.overrides)
    pairs += [(as_setting(name), value) for name, value in given.arguments]
    source = _source([config, *(path for _, path in files)], given)
    settings = megatron.settings_of(pairs, budget)
    made = megatron.read_training(settings, source, model, gpus, _as_label(label), gpu)
    if gpu:
        known = gpu in megatron_precision.DEVICES
        told = "" if known else "computing is that of an H100, and "
        more = "" if known else "compute and "
        made.unmapped.append(f"{gpu}: {told}servers have {made.server.value} GPUs: set {more}topology")
    made.unmapped += elsewhere
    left = [line for line, names in skipped.items() if names is None or settings.has_asked(names)]
    if left:
        made.unmapped.append(f"not followed, so compare what it sets: {'; '.join(left)}")
    return made


def _yaml_beside(path, variables):
    """The YAML of a model of ModelZoo, where it lies as it does there."""
    model = variables.get("MODEL")
    beside = model and Path(path).parent.parent.parent / "model_configs" / "benchmarking" / f"{model.value}.yaml"
    return [("yaml", str(beside))] if beside and beside.is_file() else []


def _need_model(model, hub, flat):
    if model is None and "model.num_layers" not in flat:
        name = f"it takes the model {hub.value} from the Hub" if hub else "its model is not in the file"
        place = hub.place if hub else "./rails import megatron"
        raise ImportRefused(place, f"{name}: add --hf CONFIG with config.json of that model")


def _named(path):
    """A file's name as that of its model."""
    return Value(Path(path).stem, f"{Path(path).name}: its name", str(path))


def _as_label(label):
    """A label as a descriptor may have it; none of a file that is named after what it holds."""
    if label is None or label.value in ("ConfigContainer", "config", "train", "run", "pretrain"):
        return None
    last = label.value.rstrip("/").rsplit("/", 1)[-1]
    return label.but(last) if re.fullmatch(r"[\w.+-]+", last) else None


def _write(path, text, force):
    """A file is whole or as it was, and nobody else's."""
    if not force and os.path.lexists(path) and not _is_replaceable(path):
        raise ImportRefused(path, "it is there already, and no descriptor that import wrote; --force replaces it")
    os.stat(os.path.dirname(path) or ".")  # a folder that is not there is a mistake, not one to make
    write_at_once(path, text)


def _is_replaceable(path):
    """Whether a file is one that this program wrote; or what keeps nothing, such as a pipe."""
    if os.path.exists(path) and not os.path.isfile(path):
        return not os.path.isdir(path)
    try:
        return not os.path.islink(path) and is_written(Budget().read(path))
    except ImportRefused:
        return False


def run(arguments=None):
    """Ends the process with the status of main(), and without a traceback whatever happens in it."""
    end_with(lambda: main(arguments), "./rails import")
