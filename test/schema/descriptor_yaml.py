# SPDX-License-Identifier: GPL-2.0-only
"""Reads descriptors as an editor does: YAML 1.2 with the types of its core schema."""

import re

import yaml


class DescriptorLoader(yaml.SafeLoader):
    """Types of YAML 1.2, repeated keys refused, keys left as they are."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        mapping = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int, float, bool, type(None))):
                raise yaml.constructor.ConstructorError(None, None, "a key is no name", key_node.start_mark)
            text = key_node.value
            if text in mapping:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{text} is here twice", key_node.start_mark)
            mapping[text] = self.construct_object(value_node, deep=True)
        return mapping


def _construct_integer(loader, node):
    text = loader.construct_scalar(node)
    if text.startswith("0o"):
        return int(text[2:], 8)
    return int(text, 16) if text.startswith("0x") else int(text)


def _construct_number(loader, node):
    text = loader.construct_scalar(node).lower().replace(".inf", "inf").replace(".nan", "nan")
    return float(text)


_TYPES = (
    ("null", r"~|null|Null|NULL|", lambda loader, node: None),
    ("bool", r"true|True|TRUE|false|False|FALSE",
     lambda loader, node: loader.construct_scalar(node).lower() == "true"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", _construct_integer),
    ("float",
     r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
     _construct_number),
)

for _name, _pattern, _construct in _TYPES:
    _tag = "tag:yaml.org,2002:" + _name
    DescriptorLoader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), None)
    DescriptorLoader.add_constructor(_tag, _construct)


def read(path):
    """Returns the one document of a file; yaml.YAMLError when it is not well-formed."""
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=DescriptorLoader)
