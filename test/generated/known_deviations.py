# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors that are known to be out of a band, and why."""

ARRIVALS = "queues share a cable by what arrives, flows evenly"
CROSSBAR = "PCIe holds a segment back until all its way is free, and what is behind it"
FIRST = "all begin with the same destination, where frames queue while other ways are idle"
NEAR_TIE = "rates are coarser with a tolerance, and another message is first at a queue"

# Times of the two engines.
ENGINES = {
    "generated-graph-230": f"{ARRIVALS}: -9 %",
    "generated-graph-315": f"{ARRIVALS}: +6 %",
}

# Ends with engine.tolerance and without.
TOLERANCE = {
    "generated-graph-1": f"{NEAR_TIE}: the iteration is 1.4 % off with 0.005",
    "generated-graph-281": f"{NEAR_TIE}: the iteration is 0.9 % longer with 0.005",
}

# Times of the two engines, of servers that are not alike inside.
INTERIORS = {
    "generated-interior-22": f"{CROSSBAR}: 0.64 with 4 MB",
    "generated-interior-42": f"{FIRST} (NICs)",
    "generated-interior-178": f"{CROSSBAR}: 0.80 with 4 MB",
    "generated-interior-218": f"{FIRST} (NICs)",
    "generated-interior-242": f"{FIRST} (NICs)",
    "generated-interior-254": f"{FIRST} (NVLink ports)",
    "generated-interior-258": "relays over slow NVLink: 1.15, not understood",
}


def compare(test, found, known, runs):
    """Fails for what is found and not known, and for what is known and no longer so.

    test -- the TestCase
    found -- name of a descriptor to what was found
    known -- name to why
    runs -- what ran, with names
    """
    test.maxDiff = None
    test.assertEqual({name: what for name, what in found.items() if name not in known}, {})
    ran = {drawn.name for drawn in runs}
    test.assertEqual([name for name in known if name in ran and name not in found], [],
                     "no longer so: take it out of known_deviations.py")
