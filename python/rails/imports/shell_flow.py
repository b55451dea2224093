# SPDX-License-Identifier: GPL-2.0-only
"""Branches, loops, pipelines and subshells of a bash script: which commands are followed, and what is known behind."""

from functools import partial
from pathlib import Path

from .shell_builtins import FUNCTION, LOST, OUT, Ended, Jump, leaves
from .shell_syntax import Command, Unreadable
from .shell_test import both, opposite
from .shell_unknown import Unknown

_ENDING = ("pipeline", "subshell", "test", "arithmetic")  # compound commands whose failure ends a script by set -e
_OF_LOOPS = ("break", "continue")
_MOST_ROUNDS = 50  # of a loop until its variables are known to be unknown


class Flow:
    """What compound commands do with the variables of a shell, which is of this class."""

    def _sequence(self, nodes):
        status = True
        for node in nodes:
            status = self._status = self._run(node)
        return status

    def _run(self, node):
        """Follows a command. :returns: whether it succeeds, or what is unknown of that"""
        self.spend(60)
        self._line, before = node.line, len(self.assumed)
        is_simple = isinstance(node, Command)
        status = self._simple(node) if is_simple else getattr(self, f"_run_{node.kind}")(node)
        ends = self._variables.get(">errexit") == "1" and not self._guards and before == len(self.assumed)
        if status is False and ends:
            if is_simple or node.kind in _ENDING and not (node.kind == "pipeline" and node.more):
                self._end(False, f"{_told(node)} under set -e")
        return status

    def _condition(self, run):
        """Whether commands succeed that end no script."""
        self._guards += 1
        try:
            return run()
        finally:
            self._guards -= 1

    def _run_list(self, node):
        before, told = len(self.assumed), _told(node.parts[0][1])
        status = self._condition(partial(self._run, node.parts[0][1]))
        for operator, part in node.parts[1:]:
            goes = status if operator == "&&" else opposite(status)
            stays = partial(bool, operator == "||")
            run = partial(self._run, part)
            run = run if part is node.parts[-1][1] else partial(self._condition, run)
            status = self._choose(goes, len(self.assumed) - before, run, stays, told)
        return status

    def _run_pipeline(self, node):
        if len(node.parts) == 1:
            return opposite(self._condition(partial(self._run, node.parts[0])))
        saved, told = self._variables, f"line {node.line}"
        self.spend(len(saved) * len(node.parts))
        all_succeed = True
        for part in node.parts[:-1]:
            self._variables = {**saved, OUT: None}
            all_succeed = both(all_succeed, self._in_shell(partial(self._run, part), told))
        self._variables = {**saved, OUT: None}
        if self.is_on("lastpipe"):
            status = self._run(node.parts[-1])
            saved = {**self._variables, OUT: saved.get(OUT)}
        else:
            status = self._in_shell(partial(self._run, node.parts[-1]), told)
        self._variables = saved
        if self.is_on("pipefail"):
            status = both(all_succeed, status)
        self._print_unknown(_told(node))
        return opposite(status) if node.more else status

    def _in_shell(self, run, told):
        """Whether commands succeed of which the end is not that of the script."""
        before, held, states = self._copied(), self._lost, self._states
        self._lost, self._states = {}, []
        self._shells += 1
        try:
            status = run()
        except Jump as end:
            status = end.status
        finally:
            cause, left = next(iter(self._lost.values()), None), self._states
            self._lost, self._states = held, states
            self._shells -= 1
        if cause:
            self._forget(before, cause, told, left)
        return cause or status

    def _run_subshell(self, node):
        saved = self._variables
        self._variables = self._copied()
        try:
            return self._in_shell(partial(self._sequence, node.parts), f"line {node.line}")
        finally:
            self._variables = {**saved, OUT: self._variables.get(OUT)}

    def _run_background(self, node):
        self._run_subshell(node)
        return True

    def _run_group(self, node):
        held = self._variables.get(OUT)
        status = self._sequence(node.parts)
        if node.more and leaves(node.more):
            self._variables[OUT] = held
        return status

    def _run_function(self, node):
        self._variables[FUNCTION + node.more] = node.parts
        return True

    def _run_test(self, node):
        return self._tests.of_brackets(node.parts)

    def _run_arithmetic(self, node):
        return self._words.is_true(node.parts[0])

    def _run_if(self, node):
        return self._if(node.parts, node.more)

    def _if(self, clauses, other):
        if not clauses:
            return self._sequence(other)
        condition, body = clauses[0]
        before = len(self.assumed)
        status = self._condition(partial(self._sequence, condition))
        told = _told(condition[-1]) if condition else ""
        return self._choose(
            status,
            len(self.assumed) - before,
            partial(self._sequence, body),
            partial(self._if, clauses[1:], other),
            told,
        )

    def _run_case(self, node):
        subject, items = node.parts
        before = len(self.assumed)
        text = self._words.text(subject)
        return self._case(text, items, len(self.assumed) - before, f"case {subject}")

    def _case(self, text, items, assumed, told):
        if not items:
            return True
        patterns, body = items[0]
        status = self._tests.match(text, patterns)
        rest = partial(self._case, text, items[1:], assumed, told)
        return self._choose(status, assumed, partial(self._sequence, body), rest, told)

    def _choose(self, status, assumed, yes, no, told):
        """
        Follows one of two ways, or both where it is not known which one.

        :param assumed: how often the status takes for granted that the environment sets nothing: of two ways then none
            is taken that ends the script
        """
        if isinstance(status, Unknown):
            return self._either(status, yes, no, told)
        first, second = (yes, no) if status else (no, yes)
        if not assumed:
            try:
                return first()
            except Ended as end:
                end.condition = end.condition or ("" if status else "! ") + told
                raise
        saved = self._copied()
        try:
            return first()
        except Jump as end:
            if end.kind != "exit":
                raise
            self._variables = saved
            del self.assumed[-assumed:]
            return second()

    def _either(self, cause, yes, no, told):
        before, found = self._variables, []
        condition = f"'{self.unknowns.show(told)[1:-1]}' ({Path(self._path).name}:{self._line})"
        for way in (yes, no):
            self._variables = dict(before)
            self.spend(len(before))
            jump = status = None
            self._causes.append((condition, cause))
            try:
                status = way()
            except Ended as end:
                found.append((None, None, end))
                continue
            except Jump as error:
                jump = error
            finally:
                self._causes.pop()
            found.append((self._variables, status, jump))
        living = [way for way in found if way[0] is not None]
        if not living:
            raise found[0][2]
        if len(living) == 1:
            self._variables, status, jump = living[0]
            if jump:
                raise jump
            return status
        (one, status, jump), (two, other, another) = living
        self._variables = {}
        for name in {**one, **two}:
            first, second = self._value_in(one, name), self._value_in(two, name)
            if name == LOST:
                first = first or second
            elif name.startswith(FUNCTION) and first is not second:
                first = self.unknowns.hide(cause)
            elif first is not second:
                self.spend(100 + sum(len(value) for value in (first, second) if value) // 4)
                first = self.unknowns.join(first, second, cause, name, condition)
            self._variables[name] = first
        if jump and another and (jump.kind, jump.count) == (another.kind, another.count):
            raise Jump(jump.kind, jump.count, _same(jump.status, another.status, cause))
        for found, state in ((jump, one), (another, two)):
            if found:
                self._lost[found.kind, found.count] = cause
                self._states.append(state)
        return _same(status, other, cause)

    def _forget(self, before, cause, told, states=()):
        """What was set since then is not known any more, nor what had another value at a jump."""
        states = (before, *states)
        self.spend(len(self._variables) * len(states))
        for name, value in list(self._variables.items()):
            others = (state.get(name) for state in states)
            if name != LOST and any(value is not other and value != other for other in others):
                name, key = "" if name.startswith(">") else name, name
                why = f"{name or 'what follows'} is set in {told}, and {cause.why}"
                is_list = isinstance(value, tuple)
                hidden = self.unknowns.hide(Unknown(why, cause.name or name, may_split=is_list))
                self._variables[key] = (hidden,) if is_list else hidden

    # Loops and returns

    def _run_for(self, node):
        name, words, body = node.parts
        if words is None:
            fields = list(self.positional)
            self.spend(len(fields))
        else:
            fields = [field for word in words for field in self._words.fields(word)]
        return self._loop(iter(fields), body, node, name, self.unknowns.several(fields))

    def _run_count(self, node):
        (begin, condition, step), body = node.parts
        self._words.compute(begin)

        def rounds():
            while True:
                yield self._words.is_true(condition) if condition.strip() else True
                self._words.compute(step)

        return self._loop(rounds(), body, node)

    def _run_while(self, node):
        condition, body = node.parts

        def rounds():
            while True:
                before = len(self.assumed)
                status = self._condition(partial(self._sequence, condition))
                status = opposite(status) if node.kind == "until" else status
                if status is True and len(self.assumed) > before:  # which may wait for what the environment sets
                    status = Unknown(f"{self.assumed[-1] or 'something'} is not given", self.assumed[-1])
                yield status

        return self._loop(rounds(), body, node)

    _run_until = _run_while

    def _loop(self, rounds, body, node, name=None, cause=None):
        """
        Follows a loop.

        :param rounds: whether it goes on, or texts for the variable `name`
        :param cause: why it is not known how often it goes round
        """
        before, held, states, status = self._copied(), self._lost, self._states, True
        self._lost, self._states = {}, []
        self._loops += 1
        try:
            for found in () if cause else rounds:
                if name:
                    self.assign(name, found)
                elif isinstance(found, Unknown):
                    cause = found
                    break
                elif not found:
                    break
                goes_on = False
                try:
                    status, goes_on = self._round(body)
                except Jump as jump:
                    cause = self._may_leave()
                    if not cause:
                        raise
                    self._lose_jump(jump, cause)
                cause = self._may_leave()
                if cause or not goes_on:
                    break
            if cause:
                told = f"the loop of line {node.line}"
                status = both(status, self._unknown_rounds(cause, rounds, body, told, name))
                self._forget(before, cause, told, self._states)
        finally:
            self._loops -= 1
            left = {(kind, count - (kind in _OF_LOOPS)): cause for (kind, count), cause in self._lost.items()}
            left = {key: cause for key, cause in left.items() if key[1]}
            self._lost, self._states = {**held, **left}, states + (self._states if left else [])
        return status

    def _may_leave(self):
        """Why it is not known whether a round of the loop was left."""
        return next((cause for (kind, _), cause in self._lost.items() if kind in _OF_LOOPS), None)

    def _lose_jump(self, jump, cause):
        """Makes unknown whether the loop is left by a jump out of its round."""
        if not isinstance(jump, Ended):
            self._lost[jump.kind, jump.count + (jump.kind in _OF_LOOPS)] = cause
            self._states.append(dict(self._variables))

    def _round(self, body):
        """A round of a loop. :returns: whether it succeeds, and whether the loop goes on"""
        try:
            return self._sequence(body), True
        except Jump as jump:
            if jump.kind not in _OF_LOOPS:
                raise
            if jump.count > 1:
                raise Jump(jump.kind, jump.count - 1) from jump
            return True, jump.kind == "continue"

    def _unknown_rounds(self, cause, rounds, body, told, name):
        """Rounds of which it is not known how many there are: until another one makes nothing else unknown."""
        status = True
        if name:
            why = f"{name} is that of {told}, and {cause.why}"
            self.assign(name, self.unknowns.hide(Unknown(why, cause.name or name)))
        for _ in range(_MOST_ROUNDS):
            start = self._copied()
            try:
                status = both(status, self._round(body)[0])
                if not name:
                    next(rounds, None)
            except Ended:
                self._variables = dict(start)
            except Jump as jump:
                self._lose_jump(jump, cause)
            self._forget(start, cause, told)
            if self._variables == start:
                return True if name and status is True else cause
        raise Unreadable("a loop is not followed", self._line)

    def _until_return(self, run, told):
        """What a function does, or a file that is sourced. :returns: whether it succeeds"""
        before, held, may_return = self._copied(), self._lost, self._may_return
        states = self._states
        self._lost, self._states, self._may_return = {}, [], True
        try:
            status = run()
        except Jump as jump:
            status, cause = jump.status, self._lost.get(("return", 1))
            if jump.kind != "return" and not cause:
                raise
            if jump.kind != "return" and not isinstance(jump, Ended):
                self._lost[jump.kind, jump.count] = cause
                self._states.append(dict(self._variables))
        finally:
            cause = self._lost.pop(("return", 1), None)
            if cause:
                self._forget(before, cause, told, self._states)
            self._states = states + (self._states if self._lost else [])
            self._lost, self._may_return = {**held, **self._lost}, may_return
        return cause or status


def _same(one, two, cause):
    """A status of two ways, where it is the same; otherwise what is unknown of it."""
    return one if one == two and not isinstance(one, Unknown) else cause


def _told(node):
    """A command as it is written, about."""
    if isinstance(node, Command):
        return " ".join(word for word in node.words if isinstance(word, str))
    if node.kind == "test":
        return f"[[ {' '.join(node.parts)} ]]"
    if node.kind == "arithmetic":
        return f"(({node.parts[0]}))"
    if node.kind == "pipeline":
        return ("! " if node.more else "") + " | ".join(_told(part) for part in node.parts)
    if node.kind == "list":
        return " ".join(filter(None, (word for operator, part in node.parts for word in (operator, _told(part)))))
    return f"line {node.line}"
