#!/bin/bash
# The packages of make deb, from what is built already and without the pages: what is in them and what is not, that one fact has one place, and
# lintian's word where it is installed. `make test-deb` installs them.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null; then
    echo "SKIPPED packages: dpkg-dev and debhelper are not installed"
    echo "0 passed, 0 failed"
    exit 77
fi
export TMPDIR=$work
said=$(DEBFULLNAME='Ann Example' DEBEMAIL=ann@example.org BUILT=$build DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 sh debian/deb.sh "$work/debs" -B 2>&1)
verdict "made from what is built" "$([ $? -eq 0 ] || echo "$said")"
for package in warpgrind warpschool; do
    deb=$(echo "$work/debs/${package}_"*.deb)
    dpkg-deb -c "$deb" | awk '{ print $6 }' | sed 's,^\.,,' >"$work/$package"
    for file in changelog.gz copyright; do grep -qx "/usr/share/doc/$package/$file" "$work/$package" || echo "$package has no $file"; done
done >"$work/missing"
verdict "each has its papers" "$(cat "$work/missing")"
lacks() { # package, files that must be there
    local package=$1 file
    shift
    for file; do grep -qx "$file" "$work/$package" || echo "$package has no $file"; done
}
made() { (cd "$build" && find bin lib -maxdepth 1 ! -type d "$@" | sort); } # the programs and libraries of the build, as find's arguments choose
verdict "warpgrind: tools, libraries, headers, manual" "$(lacks warpgrind $(made -name 'warpgrind*' -o -name warpcc -o -name '*.so*' | sed 's,^,/usr/lib/warpgrind/,') /usr/bin/warpgrind /usr/bin/warpcc \
    /usr/lib/warpgrind/include/cuda_runtime.h /usr/lib/warpgrind/lib/ci/libcuda.so.1 /usr/share/warpgrind/warpcc-toolchain.cmake /usr/share/man/man1/warpgrind.1.gz /usr/share/man/man1/warpcc.1.gz)"
verdict "warpschool: judge, lessons, starters, manual" "$(lacks warpschool $(made -name 'warp*' -o -name '*.so*' | sed 's,^,/usr/lib/warpschool/build/,') /usr/bin/warpschool /usr/lib/warpschool/build/serve/exercise.js /usr/share/man/man1/warpschool.1.gz /usr/lib/warpschool/warpschool/student/Makefile
    for starter in starter/*.cu; do lesson=$(basename "$starter" .cu); lacks warpschool "/usr/lib/warpschool/starter/$lesson.cu" "/usr/lib/warpschool/lessons/$lesson/lesson.yaml" "/usr/lib/warpschool/build/lessons/$lesson/driver.o"; done)"
verdict "neither solutions nor hidden cases" "$(grep -E 'solution|mutant|hidden|judge\.c' "$work/warpschool" | head -n 3)"
verdict "no file is in both" "$(grep -v '/$' "$work/warpgrind" | grep -xF -f - "$work/warpschool" | head -n 3)"
verdict "who builds is the maintainer" "$(for deb in "$work"/debs/*.deb; do dpkg-deb -f "$deb" Maintainer; done | grep -vx 'Ann Example <ann@example.org>')"
verdict "nothing outside of /usr" "$(grep -hvE '^/(usr/.*)?$' "$work/warpgrind" "$work/warpschool" | head -n 3)"
# What builds the packages is what packages.txt says of building: of a row with several names, and of what every Debian has to build, nothing is asked.
verdict "they are built with what make setup brings" "$(awk '/^[^#]/ && $2 ~ /^(learn|serve)$/ && $1 !~ /[|]|^(gcc|libc6-dev|util-linux)$/ { print $1 }' autograder/packages.txt | sort |
    diff - <(sed -n '/^Build-Depends:/,/^[A-Z].*:/s/^ \([a-z][^ ,]*\).*/\1/p' debian/control | grep -v debhelper | sort))"
verdict "the version and the changes are the tree's" "$(version=$(sed -n 's/^#define WARPGRIND_VERSION "\(.*\)"$/\1/p' warpgrind/base/version.h)
    dpkg-deb -f "$work"/debs/warpgrind_*.deb Version | grep -q "^$version" || echo "not $version"
    dpkg-deb --fsys-tarfile "$work"/debs/warpgrind_*.deb | tar -xO ./usr/share/doc/warpgrind/changelog.gz | gzip -d | grep -q '\[ For learners \]' || echo "no changes")"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$work"/debs/*.changes >"$work/lintian" 2>&1
    verdict "lintian: no error" "$([ $? -eq 0 ] || grep '^E' "$work/lintian")"
else
    echo "SKIPPED lintian: it is not installed"
fi
finish
