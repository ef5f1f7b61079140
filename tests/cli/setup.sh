#!/bin/bash
# autograder/setup.sh: which packages it names for which job, on which system, and what it does where it may not install. apt-get and its kin are
# stand-ins that write down what they are asked; `make test-debian` tries the real ones.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"

# A tree in which every package is missing, and a PATH in which are only the tools that are put there.
mkdir -p "$work/tree/autograder" "$work/tools"
cp autograder/setup.sh autograder/packages-elsewhere.txt "$work/tree/autograder/"
sed -E 's,^([a-z][^ ]*) +([a-z]+) +[^ ]+,\1 \2 /nowhere,' autograder/packages.txt >"$work/tree/autograder/packages.txt"
for tool in sh awk dirname env cat tr mktemp rm tail; do ln -s "$(command -v $tool)" "$work/tools/$tool"; done
tool() { # name, what it does
    printf '#!/bin/sh\n%s\n' "$2" >"$work/tools/$1"
    chmod +x "$work/tools/$1"
}
setup() { # arguments; leaves output and status
    output=$(PATH=$work/tools sh "$work/tree/autograder/setup.sh" "$@" 2>&1)
    status=$?
}
says() { # name, status, words that must be there
    local name=$1 wanted=$2 problem=
    shift 2
    [ "$status" -eq "$wanted" ] || problem="exit status $status; "
    for word; do grep -qE -- "$word" <<<"$output" || problem+="does not say $word; "; done
    verdict "$name" "$problem"
}
silent_on() { # name, words that must not be there
    local name=$1 problem=
    shift
    for word; do ! grep -qE -- "$word" <<<"$output" || problem+="says $word; "; done
    verdict "$name" "$problem"
}

# ---- Debian, as root ----
tool id 'echo 0'
tool apt-cache '[ "$2" = libstdc++-14-dev ] && echo there'
tool apt-get 'echo "$@" >>'"$work"'/asked; case $* in *print-uris*) printf "'"'u' a.deb 1500000 s\n'u' b.deb 40499999 s\n"'" ;; esac'
setup learn
says "learning: the release's package of several" 0 'installing gcc .*libstdc\+\+-14-dev' '\(42 MB to download\)' 'setup: done'
silent_on "learning: nothing for notes and tests" chromium pandoc cmocka libstdc..-12
grep -q '^install -y .* gcc ' "$work/asked"
holds "learning: installs" $?
setup tests
says "tests: their own" 0 'libcmocka-dev'
silent_on "tests: not what learning has" 'installing.* gcc ' pandoc
tool apt-get 'case $1 in update) exit 0 ;; esac; echo "E: no such thing"; exit 100'
setup notes
says "an installation that fails is a failure" 3 'E: no such thing' 'setup: the installation failed'
setup --bring notes
says "but not on the way to another target" 0 'setup: the installation failed'
tool apt-get 'echo "E: no network"; exit 100'
setup notes
says "no network: it says so" 3 'E: no network' 'lists of packages'
silent_on "no network: and of no other program" 'another program'
tool apt-get 'echo "E: Sperrdatei /var/lib/apt/lists/lock ist belegt"; exit 100'
setup notes
says "another program holds apt's lock: what to do" 3 'lists of packages' 'another program .* again'

# ---- Debian, as somebody who may not install ----
tool id 'echo 1000'
setup learn grading
says "without root: what is missing, for what, and the command" 3 'bubblewrap +the sandbox for student programs' \
    'sudo apt-get update && sudo apt-get install .* libstdc\+\+-14-dev' 'the rest does'
setup --bring notes
says "without root, on the way to another target" 0 'pandoc +course notes'
setup --list learn
says "only the names" 0 '^gcc$' '^libstdc\+\+-14-dev$'
silent_on "only the names, and no more" setup:
setup --missing learn
says "only what is missing, and for what" 0 'libjson-c-dev +builds the toolkit: results' 'libmpich-dev +MPI in CUDA programs: lesson 18'
silent_on "and no command" sudo apt-get

# ---- nothing is missing ----
sed -E 's, /nowhere, /,' -i "$work/tree/autograder/packages.txt"
setup learn notes grading tests packages
says "all is there" 0 'everything is installed'
setup --bring tests
verdict "all is there, on the way to another target" "$output"
setup --missing learn
verdict "nothing is missing" "$output$([ "$status" = 1 ] || echo "exit status $status")"

# ---- other distributions: the command is printed ----
sed -E 's,^([a-z][^ ]*) +([a-z]+) +/,\1 \2 /nowhere,' autograder/packages.txt >"$work/tree/autograder/packages.txt"
rm "$work/tools/apt-get" "$work/tools/apt-cache"
tool dnf :
setup learn notes grading tests
says "Fedora's names" 3 'sudo dnf install .*json-c-devel.* lz4-devel' 'nobody has tried'
mv "$work/tools/dnf" "$work/tools/pacman"
setup learn notes grading tests
says "Arch's names" 3 'sudo pacman -S --needed .*json-c.* cmocka' 'nobody has tried'
rm "$work/tools/pacman"
setup learn
says "elsewhere" 3 'no apt-get' 'libseccomp-dev +builds the toolkit: locks the device down'
verdict "each package has a name elsewhere" "$(awk '!/^#/ && NF { sub(/\|.*/, "", $1); print $1 }' autograder/packages.txt | grep -vxF "$(awk '!/^#/ { print $1 }' autograder/packages-elsewhere.txt)")"
verdict "each package has a job" "$(awk '!/^#/ && NF && $2 !~ /^(learn|grading|notes|serve|editor|tests|packages)$/ { print $1 }' autograder/packages.txt)"

# ---- targets bring their own ----
asked() { make -n "$@" 2>/dev/null | sed -n 's/^sh autograder.setup.sh //p' | tr '\n' ' '; }
brings() { # name, what is asked for, goals
    local name=$1 wanted=$2
    shift 2
    verdict "$name" "$(said=$(MAKELEVEL= MAKEFLAGS= asked "$@") && [ "$said" = "$wanted" ] || echo "asks for: $said")"
}
brings "make setup exercise" "learn " setup exercise
brings "make test" "--bring editor grading notes serve tests " test
brings "make serve" "--bring notes serve " serve
brings "make notes" "--bring notes " notes
brings "make deb" "--bring notes packages serve " deb
brings "make exercise brings nothing" "" exercise
brings "make setup-tests" "notes grading serve editor tests " setup-tests
brings "make setup-serve" "notes serve editor " setup-serve
finish
