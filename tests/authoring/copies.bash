# copies.bash - for suites that build in a copy of the tree. Sourced after suite.bash.

# What is built in a copy stays there: its make is nobody's child, and has a build folder of its own.
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD

# take_build TREE: what is built here, as its own, so that only what differs is made.
take_build() {
    local part
    mkdir -p "$1/build"
    for part in bin gen headers include lessons lib obj; do cp -a "$build/$part" "$1/build/"; done
}
