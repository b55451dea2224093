# SPDX-License-Identifier: GPL-2.0-only
"""Shell scripts of Megatron: what is followed gives what bash gives, and what is not known is rejected by its name."""

import os
import shlex
import subprocess
import time
import unittest

import forms
from called import ImportTest, notes_of, origins_of
from families import draw
from rails.imports.shell import Shell
from rails.imports.shell_syntax import Unreadable, parse
from rails.imports.shell_unknown import HIDDEN

MODEL = {**draw("deepseek_v3", 2), "layers": 8, "dense_layers": 1, "ffn": 640, "vocabulary": 12800}

SIZES = (
    "--hidden-size 1024 --num-attention-heads 16 --vocab-size 32000 --swiglu --seq-length 2048 --micro-batch-size 1 "
    "--global-batch-size 32 --num-experts 8 --moe-router-topk 2 --moe-ffn-hidden-size 512 "
    "--moe-token-dispatcher-type alltoall"
)
BEGIN = f"torchrun --nproc_per_node 8 pretrain_gpt.py {SIZES}"

# Scripts that leave something in OUT.
LIKE_BASH = r"""
A=3; OUT=$((A * 2 + 1 << 2 | 1))
A=7 B=2; OUT="$((A / B)) $((-A / B)) $((-A % B)) $((A ** B)) $((A > B ? A : B)) $((0x1f)) $((010)) $((8#17))"
i=5; ((i++)); ((i += 2)); OUT=$i$((i--))$i
A=(1 2 3); A+=(4 5); OUT="${#A[@]} ${A[1]} ${A[-1]} ${A[@]:1:2} ${A[*]}"
A=(0 1); IFS=,; OUT="${A[*]}"
for ((i = 0; i < 4; i++)); do if ((i < 2)); then a+=(0); else a+=(1); fi; done; OUT="${a[*]}"
a=(0 1); printf -v OUT "[%s]" "$(IFS=', '; echo "${a[*]}")"
for i in {1..3} x; do OUT+="$i,"; done
for i in $(seq 2 2 6); do [ $i -eq 4 ] && continue; OUT+="<$i>"; done
n=0; while [ $n -lt 5 ]; do n=$((n + 1)); if [ $n = 3 ]; then break; fi; done; OUT=$n
n=0; until (( n >= 4 )); do let n+=2; done; OUT=$n
X=model-7B.tar.gz; OUT="${X%.gz} ${X%%.*} ${X#*-} ${X##*.} ${X/7B/8B} ${X//a/b} ${#X} ${X:2:3} ${X^^} ${X: -2}"
OUT="${NONE:-a b}${NONE-c}${NONE:+d}${NONE:=e}$NONE"
X=""; OUT="<${X:-empty}><${X-set}><${X:+full}>"
X=y; OUT="<${X:+full $X}><${X:-no}>"
case A22B in 0.6B) OUT=1 ;; A*B | x) OUT=2 ;; *) OUT=3 ;; esac
case "a*" in "a*") OUT=quoted ;; *) OUT=no ;; esac
S=small; if [[ $S == s* && ! $S == *x ]]; then OUT=1; elif [ "$S" != big ]; then OUT=2; else OUT=3; fi
S=b; if [ "$S" = a -o "$S" = b ] && [ -n "$S" ]; then OUT=yes; fi
f() { local x=$1; shift; OUT="$x/$#/$*"; return 0; OUT=no; }; f a b "c d"
f() { echo "out $1"; }; OUT="[$(f 1)] $(basename /a/b.sh .sh) $(dirname /a/b.sh) $(printf '%03d' 7)"
f() { local A=2 B; B=3; C=4; }; A=1 B=1; f; OUT=$A$B$C
OUT=$(echo -e "a\tb"; echo -n c; { echo d; echo e; } > /dev/null)
set -- a b c; OUT="${@:2} ${@:1:1} ${*:3}"; (set -- x; shift); OUT+=$#
A=1; x() { return 1; }; x || A=2; x && A=3; OUT=$A
declare -A M=([a]=1 [b]=2); k=b; OUT="${M[$k]} ${M[a]}"
X='a  b'; set -- $X "$X"; OUT="$# $1 $3"
OUT=$(cat <<END
v=$((1 + 1)) 'q' "d" \$x
END
)
OUT=$(cat <<'END'
v=$((1 + 1))
END
)
read -r a b <<< "1 2 3"; OUT="$a|$b"
IFS=: read -ra P <<< "x:y:z"; OUT="${P[1]}${#P[@]}"
CMD="set -- --a 'x y' \"z\""; eval $CMD; OUT="$# $2"
X=Y; Y=deep; OUT=${!X}
A=1; (A=2); { B=$A; }; OUT=$A$B
A=1; A=2 true; OUT=$A
A="x
y"; OUT="${A}"
OUT="a\"b\$c\\d"'e"f'$'g\th'
true && OUT=1 || OUT=2; false || OUT+=3
! true || OUT=4
[[ -z $NONE && 3 -gt 2 ]] && OUT=5
X=; [[ $X == * ]] && OUT=1; [[ $X == ?* ]] || OUT+=2; [[ "" = "$X" ]] && OUT+=3
if ! [ 1 = 2 ]; then OUT=6; fi
X=07; OUT=$((10#$X + 1))
A=(a "b c" d); B=("${A[@]}" e); C=(${A[@]}); OUT="${#B[@]} ${#C[@]}"
A=(); B=(x "${A[@]}" y); OUT=${#B[@]}
A=( # a list
  --one 1 # with comments
  #--two 2
  --three "3#4"
); OUT="${A[*]}"
X=a; X+=b; A[0]=z; A[1]=y; OUT="$X ${A[1]} ${#A[@]}"
OUT=`echo \`echo nested\``
X=b; OUT=$(case $X in a) echo 1 ;; b) echo "2$(case $X in (b) echo 3 ;; esac)" ;; esac)"$(echo case \))"
OUT=$( (echo sub) )
for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; OUT+=$a$b; done; done
select=1; function g { OUT=$select; }; g
if [ 1 -eq 1 ] ; then : ; fi ; OUT=done # end
x=$'\n'; OUT="[${x}]"
A=5; OUT=$(( ( ($A > 1) ? 1 : 0 ) + (A == 5 && 2) ))
[ a \< b ] && [[ a < b ]] && OUT=less
OUT=${X:-$(echo ${Y:-"in ner"})}
OUT="$(printf '%s-' a b c)"
echo "not this" > /dev/null; OUT=1 # > 2
A="1 2"; B=($A 3); OUT=${#B[@]}$((${#A} + 1))
A=1; A=2 & wait; f() { A=3; }; f & wait; true && A=4 & wait; OUT=$A
declare -i A=1 B=1+1; A+=1; f() { declare -i C=7/2; OUT="$A $B $C"; }; f; C=1+1; OUT+=" $C"
declare -u A=ab; declare -l B=CD; A+=e; OUT=$A$B; declare +u A; A=f; OUT+=$A; f() { local A=g; OUT+=$A; }; f
shopt -s lastpipe; A=1; echo 2 | { A=3; B=4; }; OUT=$A$B
builtin eval A=1; command eval 'B=2'; command declare C=3; OUT=$A$B$C$(command echo d)
set a -b; OUT="$# $2"; set -e -o pipefail; OUT+=" $#"; set -- ; OUT+=" $#"
A="B=1 C=2"; export $A D=3; OUT=$B$C$D; A=0; f() { local A=1 E=$A; OUT+=$E; }; f
k=A; export "$k=1"; declare "$k+=2"; printf -v "$k[1]" 3; read "B" <<< 4; OUT=${A[*]}$B
[ a1 = "a*" ] || OUT=1; [ "a*" = "a*" ] && OUT+=2; X="(a"; [[ $X == "("* ]] && OUT+=3
A=1; unset A; OUT="<${A-unset}>"; trap 'echo "$A"' ERR; (trap 'OUT=3' EXIT)
OUT="$(echo {a,b}{1,2} x{1..2}y{3..4} {01..03} {a..e..2} "{a,b}" "q"{1,2} {"x y",z})"
A=(x y); for i in "${!A[@]}"; do OUT+="$i${A[i]}"; done
IFS=, read -r a b <<< "1, 2,3"; IFS= read -r c <<< "  x "; OUT="$a|$b|$c"; read a b <<< " 1 2  3 "; OUT+="$a|$b"
IFS=$'\n'; B=$'1 x\n2'; A=($B); IFS=', '; C="1, x,,y"; D=($C); OUT=${#A[@]}${#D[@]}
if A=$(false); then OUT=1; else OUT=2; fi; A=$(echo 3; false) || OUT+=$A; f() { local A=$(false); }; f && OUT+=4
A=; [ $A = x ] 2> /dev/null && OUT=1 || OUT=2; [ $A -gt 1 ] 2> /dev/null || OUT+=3; [ = ] && OUT+=4
[ 010 -eq 10 ] && OUT=1; [[ 010 -eq 8 ]] && OUT+=2; [ -n $NONE ] && OUT+=3; [ -n ] && OUT+=4
OUT=$[1 + 2]$(dirname /)$(cd /usr/..; cd ..; pwd)
OUT="${A:-"b c"}${B:+"d"}"
false | true && OUT=1; set -o pipefail; false | true || OUT+=2
f() { :; }; unset -f f; OUT=${f-none}
set -e; OUT=1; false; OUT=2
set -e; OUT=1; [ a = b ] && OUT=2; OUT+=3; ! true; OUT+=4; if false; then :; fi; false || OUT+=5
set -e; f() { false; OUT+=1; }; OUT=0; f || OUT+=2; OUT+=3; f; OUT+=4
set -e; f() { [ a = b ] && OUT=1; }; OUT=0; f; OUT=2
set -e; OUT=1; (( 0 )); OUT=2
set -e; OUT=1; [[ a = b ]]; OUT=2
set -eo pipefail; OUT=1; false | true; OUT=2
set -e; OUT=1; false | true; OUT+=2; A=$(false); OUT+=3
set -e; A=$(false; echo 2); OUT=$A; f() { local B=$(false); OUT+=3; }; f; echo $(false) > /dev/null; OUT+=4
set -e; OUT=1; (false; true); OUT=2
set -e; set +e; false; OUT=1; set -o errexit; for i in 1 2; do OUT+=$i; false; done
set -e; OUT=1; for i in 1; do false && true; done; OUT+=2
set -e; OUT=1; false & OUT+=2; wait
set -e; OUT=1; shopt -s inherit_errexit; A=$(false; echo 2) || OUT=$A; A=$(false; echo 2); OUT=3
set -e; OUT=1; i=0; let i++ || OUT+=2; while false; do :; done; OUT+=3; eval false; OUT+=4
(exit 1) && OUT=1; (exit 0) && OUT+=2; A=$(exit 3) || OUT+=3; f() { (return 1) || OUT+=4; }; f; OUT+=5
exit 1 | exit 0 && OUT=1; exit 0 | exit 1 || OUT+=2
return 3; OUT=1; return 0 2> /dev/null || OUT+=2
OUT=1; break; OUT+=2; f() { break; OUT+=3; }; for i in 1 2; do f; done; OUT+=$i
for i in 1 2; do for j in 1 2; do break 5; done; done; OUT=$i$j
for i in 1; do false; done && OUT=1; while false; do :; done && OUT+=2; for i in 1; do false; break; done && OUT+=3
f() { return 300; }; f || OUT+=1; f() { return 256; }; f && OUT+=2; f() { false; }; f || OUT+=3; (f() { OUT=4; }); f
set -- a; shift 2 || OUT=1; OUT+=$#; shift && OUT+=2; set -e -- b; shift 3; OUT+=3
read -r -d '' A <<< 1 || OUT=2; read -r B <<< 1 && OUT+=3$B
OUT=1; $NONE; OUT+=2; $(false) || OUT+=3; f() { OUT+=4; }; unset -f f; f 2> /dev/null; OUT+=5
for ((i = 0; i < 3; i++)); do OUT+=$i; continue; done; while ((i-- > 0)); do OUT+=$i; done; OUT+=$i
export A=1; B=2; C=3; export C; D=4 OUT=$(E=5 bash -c 'echo "$A$C$E $1 $#"' x y z; echo $B)
set -a; A=1; set +a; declare -x B=2; f() { export C=3; }; f; OUT=$(bash -c 'A+=1; echo $A$B$C')$A
P=/a/b.c; OUT=${P%/*}${P##*.}; A=(${P%.*} ${P#*/}); OUT+=${#A[@]}
declare -A M=([a]=1 [b]=2); unset "M[a]"; A=(1 2 3); unset "A[2]" 'A[-1]'; OUT="${M[b]}${M[a]-x}${#M[@]}${#A[@]}${A[0]}"
declare -A M=([a]=1); L=(1 2); for x in M[a] M[b] L[1] L[2] L N; do [[ -v $x ]]; OUT+=$x$([[ -v $x ]] && echo +); done
""".strip("\n")


def snippets(text):
    """Scripts of a list of these, of which some go over several lines."""
    held = ""
    for line in text.split("\n"):
        held += line + "\n"
        if held.count("END") % 2 == 0 and is_whole(held):
            yield held
            held = ""


def is_whole(text):
    try:
        parse(text)
    except Unreadable:
        return False
    return True


def followed(text, parameters=(), **given):
    """A shell that followed a script."""
    shell = Shell(given, {})
    shell.follow("a.sh", text, parameters)
    return shell


class LikeBash(unittest.TestCase):
    def test_what_is_followed_is_what_bash_makes_of_it(self):
        scripts = list(snippets(LIKE_BASH))
        self.assertGreater(len(scripts), 50)
        whole = "".join(f"(trap 'printf \"%s\\0\" \"$OUT\"' EXIT\n{script}\n)\n" for script in scripts)
        done = subprocess.run(["bash", "-c", whole], capture_output=True, text=True, check=False, env={"LC_ALL": "C"})
        for script, expected in zip(scripts, done.stdout.split("\0")):
            self.assertEqual(followed(script).scalar("OUT"), expected, script)


class NotKnown(unittest.TestCase):
    """What a script leaves in OUT is not known: nothing of the program `other` is."""

    def test_what_is_known_whatever_a_program_says(self):
        for script, expected in (
            ("A=$(other); if [ $A = 1 ]; then OUT=8; else OUT=8; fi", "8"),
            ("A=$(other); OUT=1; for i in $A; do B=2; done", "1"),
            ("A=$(other); [ $A = 1 ] || true && OUT=1", "1"),
            ("A=$(other); OUT=1; [ $A = 1 ] && false && OUT=2", "1"),
            ("A=$(other); L=(x $A); OUT=${L[0]}", "x"),
            ('A=$(other); L=("$A" y); OUT=${#L[@]}${L[1]}', "2y"),
            ('OUT=; A=$(other); for x in "$A" b; do OUT+=1; done', "11"),
        ):
            self.assertEqual(followed(script).scalar("OUT"), expected, script)

    def test_what_is_not(self):
        for script in (
            "OUT=$(other)",
            "A=$(other); [ $A = 1 ] && OUT=2",
            "A=$(other); OUT=1; (( OUT += A ))",
            "A=$(other); OUT=1; (( A > 2 && OUT++ ))",
            "A=$(other); L=($A 2); OUT=${L[1]}",
            "A=$(other); L=($A 2); OUT=${#L[@]}",
            "A=$(other); set -- $A 2; OUT=$2",
            "A=$(other); set -- $A 2; shift; OUT=$1",
            "A=$(other); OUT=0; B=0; for x in $A; do if [ $B = 1 ]; then OUT=1; fi; B=1; done",
            "A=$(other); OUT=0; for x in 1 2; do OUT=$x; if [ $A = 1 ]; then break; fi; done",
            "A=$(other); for OUT in 1 2; do if [ $A = 1 ]; then break; fi; done",
            "A=$(other); f() { if [ $A = 1 ]; then return; fi; OUT=2; }; OUT=1; f",
            "A=$(other); OUT=0; while [ $OUT != $A ]; do OUT=$((OUT + 1)); done",
            "A=$(other); case $A in 1) OUT=1 ;; *) OUT=2 ;; esac",
            "OUT=1; read OUT",
            "other | while read x; do :; done; OUT=$(other | wc -l)",
            "A=$(other); OUT=${A:-2}",
            "A=$(other); OUT=${#A}",
            "OUT=${SOME[3]}",
            "OUT=1; A=$(other); unset $A",
            "shopt -s extglob; case ab in a+(b)) OUT=1 ;; *) OUT=2 ;; esac",
            "A=ab; OUT=${A%%@(b)}",
            "shopt -s nocasematch; [[ A == a ]] && OUT=1 || OUT=2",
            "A=(1 2); unset 'A[0]'; OUT=${A[0]}",
            "A=ab; OUT=${A/a/&&}",
            "A='x/*.sh'; L=($A); OUT=${#L[@]}",
            "A=1; OUT=$(bash -c 'echo $A')",
            "A=1; f() { echo $A; }; set -- 1; OUT=$(bash -c 'echo $1')",
            "export A=1; export -n A; OUT=$(bash -c 'echo ${A:-2}')",
            "A=1; [ $(other) = 1 ] && export A; OUT=$(bash -c 'echo $A')",
            "export A=(1 2); OUT=$(bash -c 'echo $A')",
            "OUT=$(bash -c 'echo $0')",
            'A=(1 2 3); unset "A[1]"; A=("${A[@]}"); OUT=${#A[@]}',
            'A=(1 2 3); unset "A[1]"; OUT=${A[1]-none}',
            "A=(1); for x in $(other); do A+=(2); done; OUT=${#A[@]}",
            "printf -v OUT %b 'a\\101'",
            "mapfile -t A < x; OUT=${#A[@]}",
            "A=$(other); [ $A = 1 ] && declare -u OUT; OUT=a",
            "declare -A M=([a]=1 [b]=2); for k in ${!M[@]}; do OUT=$k; done",
            "declare -A M=([a]=1 [b]=2); for k in ${M[@]}; do OUT=$k; done",
            "for x in models/*.sh; do OUT=$x; done",
            "if A=$(other); then OUT=1; else OUT=2; fi",
            "A=$(other) || OUT=1",
            "OUT=${A^^[b]}",
            "A=b; OUT=${A^^[b]}",
            "A=5; OUT=${A##[[:digit:]]}",
            "OUT=$'\\x41'",
            "OUT=$(echo -e '\\x41')",
            "OUT=$(printf '%*d' 5 3)",
            "read -n 1 OUT <<< 12",
            "read -d , OUT <<< 1,2",
            "read OUT <<< 'a\\b'",
            "OUT=${RANDOM:-8}",
            "declare -A M=([a]=1 [b]=2); k=$(other); OUT=${M[$k]}",
            "declare -A M=([a]=1); M[$(other)]=2; OUT=${M[a]}",
            "declare -A M=([a]=1 [$(other)]=2); OUT=${M[a]}",
            "declare -A M=([a]=1); M[$(other)]=2; OUT=${M[b]:-1}",
            "L=(1 2); L[$(other)]=3; OUT=${L[1]:-1}",
            "L=([0]=1 [1]=2); OUT=${L[1]:-1}",
            "mapfile -t L < x; L[0]=1; OUT=${L[1]:-1}",
            "for x in 1 2; do for y in $(other); do break 2; done; OUT=$x; done",
            "A=$(other); for x in 1 2; do for y in 1; do if [ $A = 1 ]; then break 2; fi; done; OUT=$x; done",
            "A=$(other); f() { if [ $A = 1 ]; then return 1; fi; }; OUT=1; f && OUT=2",
            "A=$(other); f() { if [ $A = 1 ]; then return 1; else return 0; fi; }; OUT=1; f && OUT=2",
            "f() { for x in 1; do if [ $A = 1 ]; then break; fi; return; done; OUT=2; }; A=$(other); OUT=1; f",
            "A=$(other); for x in 1 2; do for y in 1; do if [ $A = 1 ]; then break 2; fi; continue 2; done; done; OUT=$x",
            "A=$(other); OUT=1; f() { OUT=2; if [ $A = 1 ]; then OUT=3; return; fi; exit; }; f",
            "A=$(other); for OUT in 1 2; do if [ $A = $OUT ]; then break; fi; if [ $OUT = 2 ]; then exit; fi; done",
            "A=$(other); OUT=$(if [ $A = 1 ]; then echo 1; exit; fi; echo 2)",
            "A=$(other); f() { if [ $A = 1 ]; then echo 1; exit; fi; echo 2; }; OUT=$(f)",
            "A=$(other); f() { if [ $A = 1 ]; then return; fi; exit; }; OUT=1$(f; echo 2)",
            "A=$(other); OUT=$(set -e; if [ $A = 1 ]; then false; fi; echo 2)",
            "A=$(other); OUT=1; (if [ $A = 1 ]; then exit 1; fi) && OUT=2",
            "A=$(other); OUT=1; (if [ $A = 1 ]; then exit 1; fi) | (if [ $A = 1 ]; then exit 1; fi) && OUT=2",
            "A=$(other); OUT=4; f() { OUT=1; if [ $A = 1 ]; then return; fi; OUT=4; }; f",
            "A=$(other); OUT=4; for x in 1 2; do OUT=1; if [ $A = $x ]; then break; fi; OUT=4; done",
            "A=$(other); OUT=4; while [ $A != 1 ]; do OUT=1; if [ $A = 2 ]; then break; fi; OUT=4; done",
            "A=$(other); for ((i = 0; i < A; i++)); do OUT=$i; continue; done",
            "A=$(other); OUT=0; B=0; while OUT=$B; B=2; [ $A = 1 ]; do :; done",
            "OUT=0; while [ -z $NONE ] && (( OUT++ < 3 )); do :; done",
            "set -- $(other) 2; OUT=1; shift 2 || OUT=2",
            "OUT=1; while read x; do false; done < y && OUT=2",
            "OUT=1; (exit $(other)) && OUT=2",
            '[ -z "$HOSTNAME" ] && OUT=1 || OUT=2',
        ):
            self.assertRegex(followed(script).scalar("OUT"), HIDDEN, script)

    def test_a_function_that_may_be_another_one_is_rejected(self):
        for script in (
            "if [ $A = 1 ]; then f() { OUT=2; }; fi; f",
            "f() { OUT=1; }; for x in $A; do f() { OUT=2; }; done; f",
            "f() { OUT=1; }; while [ $A = 1 ]; do unset -f f; done; f",
        ):
            with self.assertRaisesRegex(Unreadable, "f.. is defined in a branch that is not known, .*: add A=VALUE"):
                followed(f"A=$(other); {script}")

    def test_what_may_set_any_variable_leaves_none_known(self):
        """Neither those that are set nor those that nothing sets, nor the elements of lists; what is set then is."""
        for what in (
            'eval "$(other)"',
            'builtin eval "$(other)"',
            'command eval "$(other)"',
            "export $(cat .env)",
            "export $(grep -v '^#' .env | xargs)",
            "while read -r k v; do eval \"$k=$v\"; done < x",
            "while read -r k v; do declare \"$k=$v\"; done <<END\nA 8\nEND",
            'while read -r line; do export "$line"; done < x',
            "declare $k=8",
            'export "$k"=8',
            'readonly "$k"=8',
            'f() { declare -g "$k"=8; }; f',
            'printf -v "$k" %d 8',
            'read "$k" <<< 8',
            'mapfile "$k"',
            'getopts a "$k" -a',
            "(( $k = 8 ))",
            'let "${k}++"',
            "unset $k",
            "source /absent/x.env",
            "if [ $k = 1 ]; then . /absent/x.env; fi",
            "[ $k = 1 ] && eval $k",
        ):
            shell = followed(f'k=$(other); A=64; L=(1 2)\n{what}\nB=${{NONE:-3}}; C=${{L[1]}}; D=4; N=${{#M[@]}}', [""])
            for name in "ABCN":
                self.assertRegex(shell.scalar(name), HIDDEN, f"{what} {name}")
            self.assertEqual(shell.scalar("D"), "4", what)
            self.assertEqual(followed(f"k=$(other); A=64; {what}", [""], A="8").scalar("A"), "8", what)

    def test_what_another_shell_may_set_leaves_all_known(self):
        for what in ("(eval $k)", "eval $k | other", "B=$(eval $k)", "eval $k &", "eval $NONE"):
            self.assertEqual(followed(f"k=$(other); A=64; {what}").scalar("A"), "64", what)


class Branches(ImportTest):
    def script(self, *lines, name="run.sh"):
        return self.write(name, "#!/bin/bash\n" + "\n".join(lines) + "\n")

    def workload_of(self, lines, *words):
        return self.workload("megatron", self.script(*lines), *words)

    CHOICE = (
        "if [ $SIZE = small ]; then",
        "    LAYERS=8",
        '    MORE="--expert-model-parallel-size 4"',
        "elif [ $SIZE = big ]; then",
        "    LAYERS=64",
        '    MORE="--expert-model-parallel-size 8"',
        "fi",
        f"{BEGIN} --num-layers $LAYERS $MORE",
    )

    def test_a_branch_that_is_not_taken_sets_nothing(self):
        workload = self.workload_of(("SIZE=small", *self.CHOICE))
        self.assertEqual((workload["model"]["layers"], workload["parallel"]["ep"]), (8, 4))

    def test_a_branch_that_is_not_known_is_rejected_by_what_decides(self):
        path = self.script("SIZE=$1", *self.CHOICE)
        self.assert_refused(
            ["megatron", path],
            "run.sh:10: error: --num-layers: LAYERS is one of '8', '64', nothing, depending on '[ $SIZE = small ]' "
            "(run.sh:3), and SIZE is not known, since parameter 1 of the script is not given: add SIZE=VALUE",
        )
        for words in (["SIZE=big"], ["big"], ["1=big"]):
            workload = self.workload("megatron", path, *words)
            self.assertEqual((workload["model"]["layers"], workload["parallel"]["ep"]), (64, 8))

    def test_what_branches_have_in_common_is_known(self):
        lines = ("if [ $A = 1 ]; then N=8; X=1; else N=8; X=2; fi", f"{BEGIN} --num-layers $N --save $X")
        self.assertEqual(self.workload_of(lines)["model"]["layers"], 8)

    def test_arguments_that_only_one_branch_has(self):
        lines = (
            "ARGS=(--num-layers 8)",
            'if [ "$TP" -gt 1 ]; then ARGS+=(--sequence-parallel); fi',
            'if [ $SAVE = yes ]; then MORE="--save x"; fi',
            f'{BEGIN} "${{ARGS[@]}}" $MORE --tensor-model-parallel-size 2',
        )
        self.assert_refused(["megatron", self.script(*lines)], "--sequence-parallel: ", "add TP=VALUE")
        notes = notes_of(self.made("megatron", self.script(*lines), "TP=2"))
        self.assertNotIn("no --sequence-parallel", " ".join(notes))
        self.assertIn("no --sequence-parallel", " ".join(notes_of(self.made("megatron", self.script(*lines), "TP=1"))))

    def test_a_branch_of_case(self):
        lines = ("case ${SIZE:-7B} in", "7B) N=8 ;;", "*) N=16 ;;", "esac", f"{BEGIN} --num-layers $N")
        self.assertEqual(self.workload_of(lines)["model"]["layers"], 8)
        self.assertEqual(self.workload_of(lines, "SIZE=70B")["model"]["layers"], 16)

    def test_a_branch_that_ends_the_script_is_not_taken_for_granted(self):
        lines = ('if [ -z "$BASE" ]; then', "  echo unset", "  exit 1", "fi", f"{BEGIN} --num-layers 8 --save $BASE/x")
        self.assertEqual(self.workload_of(lines)["model"]["layers"], 8)
        lines = ("FLASH=true", "if [ $FLASH = true ]; then", "exit 1", "fi", f"{BEGIN} --num-layers 8")
        self.assert_refused(
            ["megatron", self.script(*lines)],
            "run.sh:4: error: the script ends here by '[ $FLASH = true ]', before it begins a training",
        )
        self.assertEqual(self.workload_of(lines, "FLASH=false")["model"]["layers"], 8)
        lines = ("C=", '[[ -z "${C}" && -d x ]] || [ -z "$C" ] && exit 1', f"{BEGIN} --num-layers 8")
        self.assert_refused(["megatron", self.script(*lines)], "before it begins a training: add C=VALUE")
        self.assertEqual(self.workload_of(lines, "C=1")["model"]["layers"], 8)
        notes = notes_of(self.made("megatron", self.script(": ${MODE:?}", f"{BEGIN} --num-layers 8")))
        self.assertIn("nothing sets MODE, which the script asks for", " ".join(notes))

    def test_a_command_that_fails_ends_the_script_under_set_e(self):
        lines = ("set -ex", "A=1", "[ $A = 2 ]", f"{BEGIN} --num-layers 8")
        told = "run.sh:4: error: the script ends here by '[ $A = 2 ] under set -e', before it begins a training: add A=VALUE"
        self.assert_refused(["megatron", self.script(*lines)], told)
        self.assertEqual(self.workload_of(lines, "A=2")["model"]["layers"], 8)
        lines = ("set -e", '[ -n "$BASE" ]', "other", f"{BEGIN} --num-layers 8")
        self.assertEqual(self.workload_of(lines)["model"]["layers"], 8)

    def test_a_training_in_a_branch_that_is_not_known(self):
        lines = ("if [ $MODE = long ]; then", f"  {BEGIN} --num-layers 64", "else", f"  {BEGIN} --num-layers 8", "fi")
        self.assert_refused(["megatron", self.script(*lines)], "the script says '64' and '8' in", "add MODE=VALUE")
        self.assertEqual(self.workload_of(lines, "MODE=short")["model"]["layers"], 8)

    def test_functions_and_parameters_of_a_branch_that_is_not_known(self):
        lines = ("f() { N=8; }", "if [ $A = 1 ]; then f() { N=9; }; fi", "f", f"{BEGIN} --num-layers $N")
        self.assert_refused(["megatron", self.script(*lines)], "f() is defined in a branch that is not known")
        lines = ("if [ $A = 1 ]; then shift; fi", f"{BEGIN} --num-layers $1")
        self.assert_refused(["megatron", self.script(*lines), "8", "9"], "--num-layers: ", "add A=VALUE")
        self.assertEqual(self.workload("megatron", self.script(*lines), "8", "9", "A=1")["model"]["layers"], 9)

    def test_what_is_taken_as_set_by_nothing_is_listed(self):
        lines = ('if [ -z "$VP" ]; then V=; else V="--num-layers-per-virtual-pipeline-stage $VP"; fi',)
        lines += (f"{BEGIN} --num-layers 8 --pipeline-model-parallel-size 2 $V",)
        notes = " ".join(notes_of(self.made("megatron", self.script(*lines))))
        self.assertIn("nothing sets VP, which the script asks for: add NAME=VALUE where something does", notes)
        self.assertEqual(self.workload_of(lines, "VP=2")["parallel"]["vpp"], 2)

    def test_a_loop_of_which_the_length_is_not_known(self):
        lines = ("N=8", "for host in $(cat hosts); do", "  N=$((N + 1))", "done", f"{BEGIN} --num-layers $N")
        self.assert_refused(
            ["megatron", self.script(*lines)], "N is set in the loop of line 3, and 'cat hosts' is not run: add N=VALUE"
        )
        self.assertEqual(self.workload_of(lines, "N=4")["model"]["layers"], 4)

    def test_trainings_of_a_loop_differ(self):
        lines = ("for n in 4 8; do", f"  {BEGIN} --num-layers $n", "done")
        self.assert_refused(
            ["megatron", self.script(*lines)],
            "--num-layers: the script says '4' and '8' in different places: give --num-layers behind the script",
        )
        self.assertEqual(self.workload_of(lines, "--num-layers", 4)["model"]["layers"], 4)


class Values(ImportTest):
    def words_of(self, text, *words):
        return ["megatron", self.write("run.sh", text), *words]

    def test_sums_in_arguments(self):
        model = self.workload(
            *self.words_of(
                "DENSE=2\nMOE=6\nWIDTH=512\nMODEL_ARGS=(\n --num-layers $((DENSE + MOE))\n"
                " --moe-layer-freq [0]*$DENSE+[1]*$MOE\n --moe-shared-expert-intermediate-size $((WIDTH * 2))\n)\n"
                f'{BEGIN} "${{MODEL_ARGS[@]}}"\n'
            )
        )["model"]
        self.assertEqual((model["layers"], model["dense_layers"], model["shared_ffn"]), (8, 2, 1024))

    def test_a_pattern_of_layers_that_a_loop_makes(self):
        text = (
            "NLAYERS=${MODEL_LAYERS:-8}\narr=()\nfor ((i=0; i<NLAYERS; i++)); do\n  if (( i < 3 )); then\n"
            "    arr+=(0)\n  else\n    arr+=(1)\n  fi\ndone\n"
            "printf -v FREQ \"[%s]\" \"$(IFS=', '; echo \"${arr[*]}\")\"\n"
            f'MODEL_ARGS=(\n  --num-layers $NLAYERS\n  --moe-layer-freq "$FREQ"\n  {SIZES}\n)\n'
        )
        model = self.workload(*self.words_of(text))["model"]
        self.assertEqual((model["layers"], model["dense_layers"]), (8, 3))
        self.assertEqual(self.workload(*self.words_of(text, "MODEL_LAYERS=5"))["model"]["layers"], 5)

    def test_what_another_program_says_is_rejected_by_its_variable(self):
        text = (
            "#!/bin/bash\nGPUS=`python -c 'import torch; print(torch.cuda.device_count())'`\n"
            "FREQ=$(python3 -c 'print([1] * 8)')\n"
            f"torchrun --nproc_per_node $GPUS x.py {SIZES} --num-layers 8 --moe-layer-freq $FREQ --save $(date)\n"
        )
        self.assert_refused(
            self.words_of(text), "FREQ is not known, since 'python3 -c print([1] * 8)' is not run: add FREQ=VALUE"
        )
        self.assert_refused(self.words_of(text, "FREQ=([1]*8)"), "GPUS is not known, since", "add GPUS=VALUE")
        self.assertIn("gpus_per_domain: 4 ", self.made(*self.words_of(text, "FREQ=([1]*8)", "GPUS=4")))

    def test_parameters_of_the_script(self):
        sizes = "--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP"
        text = f"TP=${{10}}\nPP=$2\n{BEGIN} --num-layers 8 {sizes}\n"
        self.assert_refused(
            self.words_of(text),
            "TP is not known, since parameter 10 of the script is not given: add TP=VALUE PP=VALUE",
        )
        parameters = ["dsw", "4", "a.json", "4", "5", "6", "7", "8", "9", "2"]
        for words in (["TP=2", "PP=4"], ["10=2", "2=4"], parameters):
            parallel = self.workload(*self.words_of(text, *words))["parallel"]
            self.assertEqual((parallel["tp"], parallel["pp"]), (2, 4), words)
        self.assert_refused(self.words_of(f"{BEGIN} --num-layers $1\n"), "add 1=VALUE")
        self.assertEqual(self.workload(*self.words_of(f"{BEGIN} --num-layers $1\n", "1=4"))["model"]["layers"], 4)

    def test_variables_of_small_letters(self):
        self.assertEqual(self.workload(*self.words_of(f"n=$1\n{BEGIN} --num-layers $n\n", "n=4"))["model"]["layers"], 4)

    def test_a_command_in_a_text(self):
        text = "OPTIONS=\" \\\n  --num-layers 8 \\\n  --moe-layer-freq '([0]*2+[1]*6)'\"\n"
        text += f'run="{BEGIN} \\\n ${{OPTIONS}}"\n'
        for end in ("echo $run\neval $run\n", 'bash -c "$run"\n', '$run\n', 'srun -N 4 bash -c "cd x; $run"\n'):
            self.assertEqual(self.workload(*self.words_of(text + end))["model"]["dense_layers"], 2, end)

    def test_a_command_in_a_here_document(self):
        for begin, mark in (("cat > job.sh <<", "END"), ("sbatch <<", "'END'"), ("bash <<", "END")):
            text = f"export N=8\n{begin} {mark}\n#!/bin/bash\n{BEGIN} --num-layers $N\nEND\n"
            self.assertEqual(self.workload(*self.words_of(text))["model"]["layers"], 8, begin)
            if mark == "'END'":
                text = text.replace("export N=8", "N=8")
                self.assert_refused(self.words_of(text), "--num-layers: N is not exported: add N=VALUE")
                self.assertEqual(self.workload(*self.words_of(text, "N=9"))["model"]["layers"], 9)
        text = f"cat <<END\nUsage: run.sh --num-layers 3\nEND\n{BEGIN} --num-layers 8\n"
        self.assertEqual(self.workload(*self.words_of(text))["model"]["layers"], 8)

    def test_only_what_begins_the_training_counts(self):
        text = (
            "OLD_ARGS=(--num-layers 64)\nMODEL_ARGS=(--num-layers 8)\n# --num-layers 1\necho --num-layers 2\n"
            f"convert() {{ python convert.py --num-layers 3; }}\npython tool.py --tensor-model-parallel-size 8\n"
            f"{BEGIN} --num-layers 99 ${{MODEL_ARGS[@]}}\n"
        )
        workload = self.workload(*self.words_of(text))
        self.assertEqual((workload["model"]["layers"], workload["parallel"]["tp"]), (8, 1))

    def test_lists_without_a_command_that_say_different_things(self):
        text = f"SMALL_ARGS=(--num-layers 8)\nBIG_ARGS=(--num-layers 64)\nARGS=({SIZES})\n"
        self.assert_refused(self.words_of(text), "--num-layers: the script says '8' and '64' in different places")

    def test_arguments_that_are_computed(self):
        text = f"MORE=$(python more.py)\n{BEGIN} --num-layers 8 ${{MORE}}\n"
        self.assert_refused(
            self.words_of(text),
            "these may be any arguments, since MORE is not known, since 'python more.py' is not run: add MORE=VALUE",
        )
        text = text.replace("MORE}", "MORE} $NOT_GIVEN")
        words = self.words_of(text, "MORE=--pipeline-model-parallel-size 2")
        self.assertEqual(self.workload(*words)["parallel"]["pp"], 2)

    def test_gpus_of_a_training_that_ray_begins(self):
        gpus = "--actor-num-nodes 2 --actor-num-gpus-per-node 4"
        text = f"ray job submit -- python3 train.py {gpus} {SIZES} --num-layers 8\n"
        self.assertIn("gpus_per_domain: 4 ", self.made(*self.words_of(text)))
        self.assertIn("domains: 2 ", self.made(*self.words_of(text)))
        text = f"msrun --worker_num $((2 * 16)) --local_worker_num 16 x.py {SIZES} --num-layers 8\n"
        self.assertIn("# 32 GPUs (run.sh: --worker_num)", self.made(*self.words_of(text)))
        self.assertIn("gpus_per_domain: 16 ", self.made(*self.words_of(text)))


    def test_the_batch_of_a_step_of_reinforcement_learning(self):
        sizes = SIZES.replace("--global-batch-size 32", "--rollout-batch-size 16 --n-samples-per-prompt 8")
        text = f"ray job submit -- python3 train.py {sizes} --num-layers 8 --num-steps-per-rollout 4\n"
        made = self.made(*self.words_of(text))
        self.assertIn("global: 32 ", made)
        self.assertEqual(origins_of(made)["global"], "run.sh: --rollout-batch-size 16 x 8 samples / 4 steps")

    def test_gpus_that_slurm_is_asked_for(self):
        head = "#!/bin/bash\n#SBATCH --nodes=2 --time=1\n#SBATCH --gres=gpu:4  # four\n"
        text = self.made(*self.words_of(f"{head}srun python x.py {SIZES} --num-layers 8\n#SBATCH -N 7\n"))
        self.assertIn("# 8 GPUs (run.sh: #SBATCH nodes 2 x 4 GPUs)", text)
        words = "--nnodes $SLURM_JOB_NUM_NODES --nproc_per_node ${SLURM_GPUS_ON_NODE:-8}"
        head = head.replace("gpu:4", "gpu:h100:4")
        text = self.made(*self.words_of(f"{head}srun torchrun {words} x.py {SIZES} --num-layers 8\n"))
        self.assertIn("# 8 GPUs (run.sh: --nnodes 2 x 4 GPUs)", text)
        text = self.made(*self.words_of(f"#SBATCH --gpus=32 --time=1\nsrun python x.py {SIZES} --num-layers 8\n"))
        self.assertIn("# 32 GPUs (run.sh: #SBATCH gpus)", text)
        text = self.made(*self.words_of(f"{head}torchrun --nnodes 4 --nproc_per_node 8 x.py {SIZES} --num-layers 8\n"))
        self.assertIn("# 32 GPUs (run.sh: --nnodes 4 x 8 GPUs)", text)

    def test_names_of_programs_around_megatron(self):
        sizes = SIZES.replace("--num-experts", "--moe-num-experts").replace("--moe-router-topk", "--moe-top-k")
        more = "--intermediate-size 640 --shared-moe-ffn-hidden-size 768 --moe-layer-freq [0]+[1]*7 --n-head-kv 4"
        model = self.workload(*self.words_of(f"torchrun x.py {sizes} {more} --num-layers 8\n"))["model"]
        names = ("experts", "top_k", "ffn", "shared_ffn", "kv_heads")
        self.assertEqual([model[name] for name in names], [8, 2, 640, 768, 4])
        more = "--multi-latent-attention --qk-nope-head-dim 96 --qk-rope-head-dim 32"
        model = self.workload(*self.words_of(f"{BEGIN} {more} --num-layers 8\n"))["model"]
        self.assertEqual((model["head_width"], model["rope_width"]), (96, 32))
        more = "--spec plugin get_spec --use-dynamic-batch-size --attention-output-gate --sglang-ep-size 8"
        notes = " ".join(notes_of(self.made(*self.words_of(f"{BEGIN} {more} --num-layers 8\n"))))
        self.assertIn("--spec plugin get_spec: layers are those of Megatron", notes)
        self.assertIn("--use-dynamic-batch-size: micro-batches are", notes)
        self.assertIn("--attention-output-gate: attention has no gate", notes)
        self.assertNotIn("sglang", notes)


class Sourced(ImportTest):
    RUN = (
        'HERE="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" &>/dev/null && pwd)"\nsource "${HERE}/%s"\n'
        'PERF_ARGS=(--tensor-model-parallel-size 2)\ntorchrun x.py "${MODEL_ARGS[@]}" ${PERF_ARGS[@]}\n'
    )
    TINY = f"MODEL_ARGS=(\n --num-layers 8\n {SIZES}\n)\n"

    def test_a_file_below_the_folder_of_the_script(self):
        self.write("models/tiny.sh", self.TINY)
        path = self.write("run.sh", self.RUN % "models/tiny.sh")
        self.assertEqual(origins_of(self.made("megatron", path))["layers"], "tiny.sh: --num-layers")
        self.assertEqual(self.workload("megatron", path)["parallel"]["tp"], 2)

    def test_a_file_that_may_return(self):
        self.write("sizes.sh", 'LAYERS=64\nif [ "$(other)" = 1 ]; then return 1; fi\nLAYERS=8\n')
        source = 'source "$(dirname "$0")/sizes.sh"'
        path = self.write("run.sh", f"{source}\n{BEGIN} --num-layers $LAYERS\n")
        self.assert_refused(["megatron", path], "--num-layers: LAYERS is set in ", "sizes.sh, and ", "add LAYERS=VALUE")
        path = self.write("run.sh", f"LAYERS=8\n{source} && LAYERS=16\n{BEGIN} --num-layers $LAYERS\n")
        self.assert_refused(["megatron", path], "--num-layers: LAYERS is ", "add LAYERS=VALUE")

    def test_a_script_that_is_named_from_its_own_folder(self):
        self.write("tiny.sh", self.TINY)
        self.write("run.sh", 'source "$(dirname "$0")/tiny.sh"\ntorchrun x.py "${MODEL_ARGS[@]}"\n')
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.assertEqual(self.workload("megatron", "run.sh")["model"]["layers"], 8)

    def test_another_file_has_to_be_named(self):
        tiny = self.write("models/tiny.sh", self.TINY)
        path = self.write("examples/run.sh", self.RUN % "../models/tiny.sh")
        self.assert_refused(
            ["megatron", path],
            f"MODEL_ARGS is not known, since '{tiny}', which line 2 of run.sh sources, is not read, since it is ",
            "neither below the folder of the script nor in its Git checkout: name that file too, in front of the "
            "script, or add MODEL_ARGS=VALUE, which may be",
        )
        self.assertEqual(self.workload("megatron", tiny, path)["model"]["layers"], 8)
        path = self.write("examples/run.sh", self.RUN.replace("${HERE}", "/root/there") % "tiny.sh")
        self.assert_refused(["megatron", path], "'/root/there/tiny.sh', which line 2 of run.sh sources, is not read")
        self.assertEqual(self.workload("megatron", tiny, path)["model"]["layers"], 8)

    def test_a_file_of_the_checkout_of_the_script(self):
        self.write("repo/models/tiny.sh", self.TINY)
        (self.folder / "repo" / ".git").mkdir()
        path = self.write("repo/examples/run.sh", self.RUN % "../models/tiny.sh")
        self.assertEqual(self.workload("megatron", path)["model"]["layers"], 8)
        path = self.write("repo/examples/run.sh", self.RUN.replace("${HERE}", "/root/there") % "models/tiny.sh")
        self.assertEqual(self.workload("megatron", path)["model"]["layers"], 8)
        told = f"'/root/there/models/tiny.sh' is read from '{self.folder}/repo/models/tiny.sh'"
        self.assertIn(told, notes_of(self.made("megatron", path)))
        (self.folder / "repo" / "models" / "tiny.sh").rename(self.folder / "tiny.sh")
        (self.folder / "repo" / "models" / "tiny.sh").symlink_to(self.folder / "tiny.sh")
        self.assert_refused(["megatron", path], "which line 2 of run.sh sources, is not read")

    def test_files_beside_one_that_is_named(self):
        self.write("models/sizes.sh", "LAYERS=8")
        text = self.TINY.replace("layers 8", "layers $LAYERS")
        tiny = self.write("models/tiny.sh", f'source "$(dirname "${{BASH_SOURCE[0]}}")/sizes.sh"\n{text}')
        path = self.write("examples/run.sh", self.RUN % "../models/tiny.sh")
        self.assertEqual(self.workload("megatron", tiny, path)["model"]["layers"], 8)

    def test_a_file_that_is_not_there(self):
        for name in ("absent.sh", "x" * 5000, "${UNSET}/a.sh"):
            path = self.write("run.sh", f'source "$(dirname "$0")/{name}"\n{BEGIN}\n')
            self.assert_refused(["megatron", path], "--num-layers: it is missing, and ", " is not read, since ")

    def test_a_link_out_of_the_folder_is_not_followed(self):
        self.write("secret/tiny.sh", self.TINY)
        path = self.write("examples/run.sh", self.RUN % "tiny.sh")
        (self.folder / "examples" / "tiny.sh").symlink_to(self.folder / "secret" / "tiny.sh")
        self.assert_refused(["megatron", path], "which line 2 of run.sh sources, is not read")

    def test_a_file_that_is_not_read_is_listed(self):
        path = self.write("run.sh", f"source ~/venv/bin/activate\n{BEGIN} --num-layers 8\n")
        notes = notes_of(self.made("megatron", path))
        self.assertIn("'~/venv/bin/activate' is not read, which the script sources", notes)

    def test_a_file_that_sources_itself(self):
        path = self.write("run.sh", 'source "$(dirname "$0")/run.sh"\n')
        self.assert_refused(["megatron", path], "sources itself")


    def test_a_file_of_any_name_that_is_not_read_leaves_no_variable_known(self):
        path = self.write("run.sh", f"LAYERS=64\nsource /srv/there/sizes.env\n{BEGIN} --num-layers $LAYERS\n")
        self.assert_refused(
            ["megatron", path],
            "--num-layers: LAYERS is not known, since '/srv/there/sizes.env', which line 2 of run.sh sources, is not "
            "read, since it is neither below the folder of the script nor in its Git checkout: name that file too, in "
            "front of the script, or add "
            "LAYERS=VALUE",
        )
        self.assertEqual(self.workload("megatron", path, "LAYERS=4")["model"]["layers"], 4)
        sizes = self.write("sizes.env", "LAYERS=8\n")
        self.assertEqual(self.workload("megatron", sizes, path)["model"]["layers"], 8)


class Remedies(ImportTest):
    """What a message asks for is enough."""

    def test_arguments_of_which_the_name_is_not_known(self):
        for words in ("--$A 8 --num-layers 4", "--num-layers 4 --save x $A$B"):
            path = self.write("run.sh", f"A=$(other); B=$(other)\n{BEGIN} {words}\n")
            self.assert_refused(["megatron", path], "any argument", "add A=VALUE")
            self.made("megatron", path, "A=save", "B=")

    def test_an_unknown_word_behind_a_name_that_takes_no_value(self):
        for set_by in ("X=$(other)", "source /absent/x.env", "if [ $(other) = 1 ]; then X=$(other); fi"):
            for words in ("--no-save-optim $X", '--no-such-name "$X"', "--save x --log-progress $X --bf16"):
                path = self.write("run.sh", f"{set_by}\n{BEGIN} --num-layers 4 {words}\n")
                self.assert_refused(["megatron", path], "these may be any arguments, since ", "add X=VALUE, which may")
                self.assertEqual(self.workload("megatron", path, "X=")["parallel"]["tp"], 1)
                made = self.workload("megatron", path, "X=--tensor-model-parallel-size 2")
                self.assertEqual(made["parallel"]["tp"], 2)
            for words in ("--save $X", "--wandb-exp-name $X --bf16", "--no-such-name=$X", "--master_port $X"):
                path = self.write("run.sh", f"{set_by}\n{BEGIN} --num-layers 4 {words}\n")
                self.assertEqual(self.workload("megatron", path)["parallel"]["tp"], 1)

    def test_an_unset_word_among_the_arguments_is_listed(self):
        path = self.write("run.sh", f"{BEGIN} --num-layers 4 --no-save-optim $X $Y\n")
        self.assertIn("nothing sets X, Y, which the script asks for", " ".join(notes_of(self.made("megatron", path))))
        workload = self.workload("megatron", path, "Y=--tensor-model-parallel-size 2")
        self.assertEqual(workload["parallel"]["tp"], 2)

    def test_elements_of_lists(self):
        for line in (
            "mapfile -t A < <(other)",
            "readarray -t A < x",
            "read -ra A < x",
            "A=(8); for x in $(other); do A+=($x); done",
            'eval "$(other)"',
        ):
            path = self.write("run.sh", f"{line}\n{BEGIN} --num-layers ${{A[0]}} --tensor-model-parallel-size ${{A[1]}}")
            self.assert_refused(["megatron", path], "add A=VALUE")
            self.assert_refused(["megatron", path, "A=8"], "'1' is no element of A, whose elements", "add A=VALUE")
            workload = self.workload("megatron", path, "A=8 2")
            self.assertEqual((workload["model"]["layers"], workload["parallel"]["tp"]), (8, 2), line)

    def test_variables_that_are_set_in_ways_that_are_not_followed(self):
        for line in (
            "readonly LAYERS=8; LAYERS=64",
            "readonly LAYERS=8; f() { local LAYERS=64; }; f",
            "f() { LAYERS=8; }; LAYERS=64; trap f DEBUG",
        ):
            path = self.write("run.sh", f"{line}\n{BEGIN} --num-layers $LAYERS")
            self.assert_refused(["megatron", path], "add LAYERS=VALUE")
            self.assertEqual(self.workload("megatron", path, "LAYERS=4")["model"]["layers"], 4)


    def test_gpus_are_enough_where_a_script_does_not_say_how_many(self):
        for words in ("--nnodes $WORLD_SIZE --nproc_per_node 8", "--nnodes 2 --nproc_per_node $(x)", "--nnodes $(x)"):
            path = self.write("run.sh", f"torchrun {words} x.py {SIZES} --num-layers 8\n")
            self.assert_refused(["megatron", path], ", or give --gpus")
            made = self.made("megatron", path, "--gpus", "16")
            self.assertIn("# 16 GPUs (--gpus)", made)
            self.assertIn("gpus_per_domain: 8 ", made)
            self.assertNotIn("nothing is taken of", " ".join(notes_of(made)))

    def test_what_names_the_vocabulary_may_be_unknown(self):
        sizes = SIZES.replace("--vocab-size 32000", "")
        words = "--num-layers 8 --tokenizer-type X --tokenizer-model $A"
        path = self.write("run.sh", f"A=$1\ntorchrun x.py {sizes} {words}\n")
        told = "how many different tokens there are is not said, since A is not known, since parameter 1 of the script"
        self.assert_refused(["megatron", path], told, "give --vocab-size, or --hf CONFIG")
        self.assertEqual(self.workload("megatron", path, "--vocab-size", "1280")["model"]["vocabulary"], 1280)
        for words, count in (
            ("--tokenizer-type Llama2Tokenizer --tokenizer-model $1", 32_000),
            ("--tokenizer-type $1 --tokenizer-model meta-llama/Llama-3.1-8B-Instruct", 128_256),
            ("--tokenizer-model Qwen/Qwen2.5-32B", 152_064),
            ("--vocab-file data/gpt2-vocab.json", 50_304),
        ):
            path = self.write("run.sh", f"torchrun x.py {sizes} --num-layers 8 {words}\n")
            self.assertEqual(self.workload("megatron", path)["model"]["vocabulary"], count, words)

    def test_a_gap_to_be_filled_in(self):
        text = "A=1\nDATA=<Specify path and file>\n  export N=<layers> (e.g. 8)\n"
        path = self.write("run.sh", f"{text}{BEGIN} --num-layers $N --data-path $DATA\n")
        told = "N is not known, since the script has a gap, 'layers', in its place: add N=VALUE"
        self.assert_refused(["megatron", path], f"run.sh:4: error: --num-layers: {told}")
        made = self.made("megatron", path, "N=8")
        self.assertIn("gaps, which are not known: 'Specify path and file', 'layers'", " ".join(notes_of(made)))
        path = self.write("run.sh", f"A=1\n{BEGIN} --num-layers 8 --data-path <Specify path and file>\n")
        told = "unexpected end of the line: put a value in the place of '<Specify path and file>'"
        self.assert_refused(["megatron", path], f"run.sh:2: error: it is no bash that can be followed: {told}")
        path = self.write("run.sh", f"N=<in > out\n{BEGIN} --num-layers 8\n")
        self.assertNotIn("gaps", self.made("megatron", path))


class Bounded(ImportTest):
    def test_nothing_is_run(self):
        mark = self.folder / "ran"
        text = f"touch {mark}\nX=$(touch {mark})\necho x > {mark}\ncat > {mark} <<END\nx\nEND\n"
        text += f"{BEGIN} --num-layers 8 $X\n"
        path = self.write("run.sh", text)
        self.call("megatron", path)
        self.assertFalse(mark.exists())

    def test_endless_and_huge_scripts_are_rejected_soon(self):
        for text in (
            "while true; do x=1; done",
            "for ((;;)); do :; done",
            "f() { f; }; f",
            "x=a; while :; do x=$x$x; done",
            "x=(a); while :; do x+=(${x[@]}); done",
            "echo {1..999999}",
            "x=$((9**9999**9999)); f() { f | f; }; f",
            "(" * 5000,
            "$(" * 5000,
            '"$(' * 500,
            "if x; then " * 500,
            "x=$((" + "(" * 500,
            "x=$((" + "-" * 5000 + "1))",
            "x=${a" + "[${a" * 300,
            "eval " * 300 + '"eval $x"',
            "x=$(case a in a) " * 30,
            "x=" + "$(case a in a) echo " * 30 + ";; esac)" * 30 + "; while :; do :; done",
            "x='eval \"$x\"'; eval \"$x\"",
            "a=$b$c; " * 20000,
            "if [ $a = 1 ]; then f() { g; g; }; g() { f; f; }; f; fi",
            "x=" + "a" * 2000 + "; y=${x%%*b*c*d}; y=${x%%*b*c*d*e*f*g*h*i*j*k}",
        ):
            begin = time.process_time()
            status, _, said = self.call("megatron", self.write("run.sh", text + "\n"))
            self.assertEqual(status, 2, text[:40])
            self.assertNotIn("defect", said, text[:40])
            self.assertLess(time.process_time() - begin, 10, text[:40])

    def test_damaged_scripts_end_in_one_line_or_in_a_descriptor(self):
        text = (
            'A=(1 "2 $B" ${C:-3})\nfor i in 1 2; do case $i in 1) X="${A[$i]}" ;; *) Y=$((i+1)) ;; esac; done\n'
            'if [[ -n $X && ($Y == 3* || ! -f x) ]]; then f() { local z=$1; echo "$z"; }; Z=$(f `echo 4`); fi\n'
            f"cat <<END > x\n$X\nEND\n{BEGIN} --num-layers ${{Z}} 2>&1 | tee log\n"
        )
        for at in range(0, len(text), 11):
            for end in ("", text[at + 1 :], "(" + text[at:], "\U000f0001" + text[at:]):
                damaged = text[:at] + end
                status, _, said = self.call("megatron", self.write("run.sh", damaged))
                self.assertIn(status, (0, 2), f"{at} {said}")
                self.assertNotIn("defect", said, f"{at} {damaged}")


class Forms(ImportTest):
    def test_the_script_of_all_forms(self):
        path = self.write("run.sh", forms.script(forms.command_line(MODEL)))
        self.assertEqual(self.workload("megatron", path)["model"]["layers"], 8)


if __name__ == "__main__":
    unittest.main()


class Examples(ImportTest):
    """Command lines that messages show work as they are."""

    TEXT = f"#!/bin/bash\n{{}}\nSIZE=$2\nif [ $SIZE = 7B ]; then N=8; fi\n{BEGIN} --num-layers $N $3\n"

    def shown(self, *words):
        """The command line that a message shows, which is tried, and the rest of the message."""
        status, _, said = self.call(*words)
        self.assertEqual(status, 2)
        before, _, line = said.rstrip("\n").partition("./rails import ")
        self.assertTrue(line, said)
        return shlex.split(line), before

    def test_an_example_of_a_comment_is_shown_with_all_that_it_takes(self):
        path = self.write("run.sh", self.TEXT.format("# usage:\n#sh ./run.sh dsw 7B \\\n#   '' '' 2>&1  # all"))
        line, before = self.shown("megatron", path, "--tensor-model-parallel-size", 2)
        self.assertIn("add SIZE=VALUE; this works, as run.sh:3 shows: ", before)
        self.assertEqual(line, ["megatron", path, "dsw", "7B", "", "", "--tensor-model-parallel-size", "2"])
        self.assertEqual(self.workload(*line)["model"]["layers"], 8)

    def test_an_example_of_a_readme_is_one_of_this_script(self):
        path = self.write("examples/a/run.sh", self.TEXT.format(""))
        self.write("examples/b/run.sh", self.TEXT.format(""))
        (self.folder / ".git").mkdir()
        calls = "sh run.sh a 7B --pipeline-model-parallel-size\nbash b/run.sh b 7B\nsh other.sh c 7B\n"
        self.write("examples/README.md", calls + "bash $HOME/examples/a/run.sh $D 7B\nbash a/run.sh <env> 7B\n")
        self.assertNotIn("this works", self.call("megatron", path)[2])
        self.write("README.md", "```\nexport PP='4' M=$X\ncd a\n\\\n  TP=2 N=<n> \\  \n bash /home/examples/a/run.sh e 7B; wait\n```\n")
        line, before = self.shown("megatron", path)
        self.assertIn("as README.md:4 shows", before)
        self.assertEqual(line, ["megatron", path, "PP=4", "TP=2", "e", "7B"])

    def test_an_example_that_does_not_work_is_not_shown(self):
        path = self.write("run.sh", self.TEXT.format("# sh run.sh dsw 70B"))
        self.assertNotIn("this works", self.call("megatron", path)[2])
        path = self.write("run.sh", self.TEXT.format("# sh run.sh dsw 70B\n# sh run.sh dsw 7B"))
        self.assertEqual(self.shown("megatron", path)[0][-1], "7B")

    def test_parameters_that_begin_with_a_dash(self):
        parse = 'while [ $# -gt 0 ]; do case $1 in --layers) N=$2 ;; --ep) EP=$2 ;; esac; shift 2; done'
        text = f"# bash run.sh --layers 16 --ep 4\n{parse}\n{BEGIN} --num-layers $N --expert-model-parallel-size $EP\n"
        path = self.write("run.sh", text)
        line, _ = self.shown("megatron", path)
        self.assertEqual(line, ["megatron", path, "--arguments", "--layers 16 --ep 4"])
        workload = self.workload(*line)
        self.assertEqual((workload["model"]["layers"], workload["parallel"]["ep"]), (16, 4))
        self.assert_refused([*line[:2], "--arguments", "'a"], "--arguments: error: No closing quotation")

    def test_numbers_of_gpus_that_work(self):
        text = BEGIN.replace("--nproc_per_node 8", "--nnodes 1 --nproc_per_node {}") + " --num-layers 8 {}\n"
        for gpus, more, works in (
            (1, "", "8"),
            ("$(nvidia-smi | wc -l)", "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4", "8"),
            (8, "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 4", "16"),
            (64, "--expert-model-parallel-size 4", "8"),
            (1, "--global-batch-size 12", "4"),
        ):
            path = self.write("run.sh", text.format(gpus, more))
            line, before = self.shown("megatron", path)
            self.assertTrue(before.endswith("; this works: "), before)
            self.assertEqual(line, ["megatron", path, "--gpus", works])
            self.made(*line)

    def test_variables_that_nothing_sets(self):
        lines = "if [ $MOE = true ]; then E='--num-experts 4'; fi\n[ $FAST = 1 ] && B=1\n"
        path = self.write("run.sh", f"{lines}{BEGIN} --num-layers 8 $E --micro-batch-size ${{B:-2}}\n")
        line, before = self.shown("megatron", path)
        self.assertTrue(before.endswith("add MOE=VALUE FAST=VALUE; this works: "), before)
        self.assertEqual(line, ["megatron", path, "MOE=", "FAST="])
        self.made(*line)
        path = self.write("run.sh", f"{lines}{BEGIN} --num-layers $LAYERS\n")
        self.assertNotIn("this works", self.call("megatron", path)[2])

    def test_a_module_that_a_launcher_begins(self):
        path = self.write("run.sh", f"torchrun --nproc-per-node 4 -m pretrain {SIZES} --num-layers 8\n")
        self.assertIn("gpus_per_domain: 4 ", self.made("megatron", path))

    def test_a_number_that_users_know_alone(self):
        path = self.write("run.sh", f"{BEGIN.replace('--vocab-size 32000', '')} --num-layers $1\n# sh run.sh 8\n")
        line, before = self.shown("megatron", path)
        self.assertIn("with the number of tokens in the place of N", before)
        self.assertEqual(line, ["megatron", path, "8", "--vocab-size", "N"])
        self.made(*line[:-1], 32000)
