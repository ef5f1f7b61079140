#!/bin/bash
# Machines that are not like this one: no namespaces, no bubblewrap, one that fails, a container with a single user, other distributions.
# A learner's own file is checked there without the sandbox, which is said; any other file is not. BUILD names the build folder.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8 COLUMNS=80
course=$work/course
mkdir -p "$course/lessons" "$course/work" "$course/autograder" && cp -r starter "$course/"
cp -r lessons/01-vector-add lessons/groups.txt "$course/lessons/"
cp autograder/packages-elsewhere.txt "$course/autograder/"
solution=$PWD/solutions/01-vector-add/solution.cu
sed 's/if (i < n) z/z/' "$solution" >"$course/work/01-vector-add.cu"
gcc -D_GNU_SOURCE -o "$work/deny" tests/cli/deny.c -lseccomp || exit 3

# A container whose root is its only user. The words up to -- are more options of bubblewrap's.
contained() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    bwrap --dev-bind / / --unshare-user --uid 0 --gid 0 --cap-add ALL "${options[@]}" "$@" </dev/null 2>&1
}
printf '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n' >"$work/failing" && chmod +x "$work/failing"
: >"$work/nothing"

as_docker() { "$work/deny" "$@" </dev/null 2>&1; }
no_namespaces() { bwrap --dev-bind / / --unshare-user --disable-userns --uid 1000 --cap-drop ALL "$@" </dev/null 2>&1; }
no_bubblewrap() { contained --ro-bind "$work/nothing" /usr/bin/bwrap -- "$@"; }
failing_bubblewrap() { contained --ro-bind "$work/failing" /usr/bin/bwrap -- "$@"; }

says() { # name, wanted status, pattern, command...
    local name=$1 wanted=$2 pattern=$3 output status problem=
    shift 3
    selected "$name" || return 0
    output=$("$@" 2>&1)
    status=$?
    [ "$status" -eq "$wanted" ] || problem="exit status $status, not $wanted;"
    grep -qE -- "$pattern" <<<"$output" || problem="$problem does not say \"$pattern\""
    verdict "$name" "${problem:+$problem: $output}"
}
school=("$build/bin/warpschool" --root "$course")

for way in as_docker no_namespaces no_bubblewrap failing_bubblewrap; do
    says "$way: exercise checks one's own file" 1 "out-of-bounds" $way "${school[@]}" exercise 01
    says "$way: and says that it does so without a sandbox" 1 "allows no sandbox \(.+\)" $way "${school[@]}" exercise 01
    says "$way: and how to get one" 1 "To get one: make doctor" $way "${school[@]}" exercise 01
    says "$way: the picture, too" 1 "The picture of your kernel" $way "${school[@]}" picture 01
    says "$way: check refuses" 3 "could not be checked" $way "${school[@]}" check 01 "$solution"
    says "$way: with a remedy" 3 "says how to get it" $way "${school[@]}" check 01 "$solution"
    says "$way: check --sandbox=none passes" 0 "passed" $way "${school[@]}" check 01 "$solution" --sandbox=none
    says "$way: exercise --sandbox=full refuses" 3 "could not be checked" $way "${school[@]}" exercise 01 --sandbox=full
    says "$way: grading insists" 3 "could not be checked" $way "${school[@]}" check 01 "$solution" --grade
    says "$way: doctor says what is missing" 3 "MISSING +the permissions that the sandbox needs" $way "${school[@]}" doctor
done
# Groups lock nothing in where nothing else does.
says "a result says that the sandbox is forbidden" 3 '"sandbox": ?"forbidden"' as_docker "${school[@]}" check 01 "$solution" --grade --json
says "the kernel's own words are told" 1 "allows no sandbox \(cannot make namespaces: Operation not permitted\)" as_docker "${school[@]}" exercise 01
says "and bubblewrap's" 1 "setting up uid map: Permission denied" failing_bubblewrap "${school[@]}" exercise 01
says "grading without a sandbox is not possible" 2 "only in the sandbox" "${school[@]}" check 01 "$solution" --grade --sandbox=none
says "a container with a single user has a sandbox" 0 '"sandbox": ?"namespaces\+seccomp\+limits"' contained -- "${school[@]}" check 01 "$solution" --json
sed '1i #include <cstdio>\n#include <cstdlib>
/^void vector_add(.*{$/s/$/ fprintf(stderr, "bwrap: No permissions to create a new namespace\\n"); exit(1);/' "$solution" >"$work/liar.cu"
says "words of bubblewrap's from a program change nothing" 1 "not yet" "${school[@]}" check 01 "$work/liar.cu"

# ---- doctor knows how packages are installed ----

# A newer bubblewrap mounts nothing on a link.
os_release=$(realpath /etc/os-release)
system() { # name, os-release's lines, the command
    printf '%b' "$2" >"$work/release"
    says "doctor on $1" 3 "^ +(sudo )?$3\$" contained --tmpfs /usr/include/c++ --ro-bind "$work/release" "$os_release" -- "${school[@]}" doctor
}
system Debian 'ID=debian\n' 'apt-get install g\+\+'
system Mint 'NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n' 'apt-get install g\+\+'
system Fedora 'NAME="Fedora Linux"\nID=fedora\n' 'dnf install gcc-c\+\+'
system Rocky 'ID="rocky"\nID_LIKE="rhel centos fedora"\n' 'dnf install gcc-c\+\+'
system Arch 'ID=arch\n' 'pacman -S --needed gcc'
system Manjaro 'ID=manjaro\nID_LIKE=arch\n' 'pacman -S --needed gcc'
system "a system it has not heard of" 'ID=archaic\n' 'install the package that has .*cstdio \(g\+\+ on Debian\)'
says "each package that doctor names has a row" 0 "" sh -c 'for p in $(sed -n "/^static const Need/,/^};/{ s/.*}, \"\(.*\)\", [a-z]*}.*/\1/p; s/^     \"\([^{}]*\)\",\$/\1/p; }" autograder/commands/doctor.c); do grep -q "^$p " autograder/packages-elsewhere.txt || { echo "$p"; exit 1; }; done'
headless() { contained --tmpfs "$(realpath "$(dirname /usr/include/*/mpich/mpi.h)")" -- "$@"; } # MPI's headers are not there
says "doctor says what lesson 18 lacks" 0 "absent +MPI's headers" headless "${school[@]}" doctor
says "and that the rest works" 0 "Everything is in place" headless "${school[@]}" doctor
locked() { contained -- sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"; }
says "doctor names the kernel's switch" 3 "sysctl user.max_user_namespaces=15000" locked "${school[@]}" doctor
[ ! -e /.dockerenv ] || says "in Docker, doctor says how to start the container" 3 "start the container with: --security-opt" locked "${school[@]}" doctor

finish
