# SPDX-License-Identifier: GPL-2.0-only
"""
The load balancers of "Load Balancing for AI Training Workloads" (arXiv 2507.21372) under the names
that the paper uses, and one look for each in all figures.
"""

from rails.plots import style

# name: colour, line style, marker. Colours: Okabe and Ito, Tol; pairs of one idea share a hue.
_LOOKS = {
    "Flow": ("#000000", "-", "s"),
    "Subflow": ("#7F7F7F", (0, (6, 2)), ">"),
    "Flowlet": ("#B8A000", (0, (8, 3)), "h"),
    "Host Pkt": ("#56B4E9", "-.", "v"),
    "Switch Pkt": ("#E69F00", "--", "^"),
    "Host AR": ("#0072B2", (0, (3, 1, 1, 1)), "D"),
    "Switch AR": ("#CC79A7", (0, (5, 1)), "<"),
    "Simple RR": ("#882255", (0, (5, 1, 1, 1)), "X"),
    "Simple RR, shared": ("#CC6677", (0, (2, 1)), "p"),  # ACKs share the counter of data
    "JSQ": ("#999933", (0, (4, 1, 1, 1, 1, 1)), "d"),
    "RSQ": ("#332288", (0, (2, 2)), "*"),
    "Host DR": ("#009E73", (0, (1, 1)), "P"),
    "Ofan": ("#D55E00", "-", "o"),
}
BALANCERS = tuple(_LOOKS)

_HOSTS = {
    "subflow": "Subflow",
    "plb": "Flowlet",
    "spray": "Host Pkt",
    "reps": "Host AR",
    "destination-rotation": "Host DR",
}
_SWITCHES = {
    "ecmp": "Flow",
    "round-robin": "Switch Pkt",
    "adaptive": "Switch AR",
    "jsq": "JSQ",
    "random": "RSQ",
    "ofan": "Ofan",
}


def balancer(config):
    """
    The paper's name of what an effective descriptor, flat, has for `balance`; else its types, of which
    what is usual goes without saying.
    """
    host, switch = (
        config.get(f"balance.{side}.type", config.get(f"balance.{side}", default))
        for side, default in (("host", "flow"), ("switch", "ecmp"))
    )
    if switch == "round-robin" and config.get("balance.switch.reshuffle") == 0:
        own = config.get("balance.switch.own_ack_counter", False)
        switch_name = "Simple RR" if own else "Simple RR, shared"
    else:
        switch_name = _SWITCHES.get(switch)
    if host == "flow":
        return switch_name or switch
    if switch == "ecmp":
        return _HOSTS.get(host, host)
    return f"{host}, {switch}"


def order(name):
    """Sort key: the order of the paper, then others by name."""
    return (BALANCERS.index(name) if name in _LOOKS else len(BALANCERS), name)


def look(name, schemes=()):
    """Colour, line style and marker of a balancer; of another, among all that are shown, those of its own."""
    return _LOOKS.get(name) or style.look(name, tuple(schemes))[:3]
