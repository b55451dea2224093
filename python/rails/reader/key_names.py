# SPDX-License-Identifier: GPL-2.0-only
"""Keys that a descriptor knows by two names; a result has one of them."""

_DECLARED = {
    "topology.servers": "topology.domains",
    "topology.gpus_per_server": "topology.gpus_per_domain",
    "topology.nics_per_server": "topology.nics_per_domain",
    "experts.gpus_per_server": "experts.gpus_per_domain",
    "experts.nics_per_server": "experts.nics_per_domain",
}


def declared_name(key):
    """The name that results have of a key."""
    return _DECLARED.get(key, key)
