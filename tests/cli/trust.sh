#!/bin/bash
# How well submissions are locked in: the level that is told is the level that is there, the seed of a grading stays out of the sandboxes, groups
# bound what single processes' limits do not, and nothing of all that is left behind. BUILD names the build folder.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8
school=$build/bin/warpschool
solution=solutions/01-vector-add/solution.cu
mkdir "$work/tmp" && export TMPDIR=$work/tmp

level() { jq -r .sandbox "$1"; }
graded=$work/graded.json
"$school" check 01 $solution --json --grade >"$graded" 2>"$work/stderr"

# ---- the level ----

rows() { sed -n 's/^LAYER([A-Z0-9]*, "\([a-z0-9]*\)", \(true\|false\), "\(.*\)")$/| `\1` | \2 | \3 |/p' autograder/sandbox/trust.def | sed 's/| true |/| yes |/; s/| false |/| no |/'; }
verdict "the page has the layers of the table" "$(diff <(rows) <(grep '^| `' docs/sandbox.md) 2>&1)"
holds "there are layers at all" "$([ "$(rows | wc -l)" -ge 5 ]; echo $?)"
holds "a graded solution passes" "$([ "$(jq '.verdict == "pass"' "$graded")" = true ]; echo $?)"
# The trial is a run with limits of its own, which a busy machine may miss.
for _ in 1 2 3; do
    doctor=$("$school" doctor | sed -n 's/^fine .*what locks in a file that is graded: //p')
    [ -z "$doctor" ] || break
done
[ "$doctor" = "$(level "$graded")" ] && problem= || problem="doctor says \"$doctor\", the result \"$(level "$graded")\""
verdict "doctor's trial finds the level that a graded result has" "$problem"
has() { [[ +$(level "$graded")+ == *+$1+* ]]; }
for layer in namespaces seccomp limits; do holds "this machine has $layer" "$(has $layer; echo $?)"; done

# What a program sees of itself, without /proc.
cat >"$work/self.cu" <<'END'
#include <sys/prctl.h>
#include <sys/resource.h>
static int once;
__attribute__((constructor)) static void look() {
    if (once++) return;
    struct { unsigned version; int pid; } head = {0x20080522, 0};
    unsigned data[6] = {};
    rlimit files, core, addresses, processes;
    syscall(SYS_capget, &head, data);
    getrlimit(RLIMIT_NOFILE, &files), getrlimit(RLIMIT_CORE, &core), getrlimit(RLIMIT_AS, &addresses), getrlimit(RLIMIT_NPROC, &processes);
    printf("uid=%d pid=%d seccomp=%d privileges=%d capabilities=%x files=%ld core=%ld processes=%ld bounded=%d session=%d\n", (int)getuid(), (int)getpid(),
        prctl(PR_GET_SECCOMP), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), data[0] | data[3], (long)files.rlim_max, (long)core.rlim_max, (long)processes.rlim_max,
        addresses.rlim_max != RLIM_INFINITY, getsid(0) == getpid() || getsid(0) > 0);
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
END
cat tests/cli/attacks/prelude.cuh "$work/self.cu" >"$work/s.cu"
for run in one two; do "$school" check 01 "$work/s.cu" --json --grade >"$work/$run.json" 2>&1; done
said() { jq -r .output "$work/$1.json"; }
wanted='seccomp=2 privileges=1 capabilities=0 files=64 core=0 processes=64 bounded=1'
verdict "a program is as locked in as that" "$([[ $(said one) == *"$wanted"* ]] || said one)"
user() { said "$1" | sed -n 's/.*uid=\([0-9]*\).*/\1/p' | head -n 1; }
if has user; then
    holds "users of two checks differ" "$([ "$(user one)" -gt 0 ] && [ "$(user one)" -ne "$(user two)" ]; echo $?)"
    holds "and are nobody's" "$(! getent passwd "$(user one)" >/dev/null; echo $?)"
fi

# ---- the judge itself ----

# A library in the judge's process says, at the first answer that is opened, whether a system call that no reader needs is refused there.
cat >"$work/shim.c" <<'END'
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
long raw_syscall(long, long *);
long syscall(long number, ...) {
    static int told;
    long words[6], result;
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_openat2 && !told++) dprintf(2, "retired=%d\n", prctl(PR_GET_DUMPABLE) == -1 && errno == EPERM && setuid(0) != 0);
    return raw_syscall(number, words);
}
END
cat >"$work/raw.c" <<'END'
#include <dlfcn.h>
#include <stddef.h>
long raw_syscall(long number, long *w) {
    static long (*real)(long, ...);
    if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}
END
gcc -D_GNU_SOURCE -shared -fPIC -o "$work/shim.so" "$work/shim.c" "$work/raw.c" -ldl || exit 3
LD_PRELOAD=$work/shim.so "$school" check 01 $solution --json >"$work/shimmed.json" 2>"$work/shimmed"
verdict "the judge retires before it opens an answer" "$(grep -qx retired=1 "$work/shimmed" || head -c 300 "$work/shimmed")"

# ---- the seed ----

# A course whose compiler first looks round in its sandbox: words and variables of all processes, and all files, for the seed of the first order of
# threads, of the second, and for both as eight bytes. What it looks for it makes by itself, so that its own text is no find.
spy=$work/spy
mkdir -p "$spy/build/bin"
for part in lessons solutions starter; do ln -s "$PWD/$part" "$spy/$part"; done
for part in "$build"/*; do [ "$(basename "$part")" = bin ] || ln -s "$part" "$spy/build/"; done
cp "$build/bin/warpschool" "$build/bin/warpgrind" "$spy/build/bin/"
cp "$build/bin/warpcc" "$spy/build/bin/real"
head=73155 tail=50123456
cat >"$spy/build/bin/warpcc" <<END
#!/bin/sh
h=$head t=$tail
for n in "\$h\${t}788" "\$h\${t}789"; do
    printf '%s\n' "\$n"; printf '%x\n' "\$n"
    perl -e 'print pack("Q<", shift), "\n"' "\$n"
done >/tmp/needles
looked=\$(cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | wc -c)
found=\$(LC_ALL=C grep -laFf /tmp/needles /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null)
found="\$found \$(find / -xdev -type f ! -path '/usr/*' ! -path /tmp/needles ! -path '*/warpcc' -exec sh -c 'LC_ALL=C exec grep -laFf /tmp/needles "\$@"' sh {} + 2>/dev/null)"
for folder in /w /object /tmp $spy/build; do found="\$found \$(LC_ALL=C grep -rlaFf /tmp/needles --exclude=needles --exclude=warpcc \$folder 2>/dev/null)"; done
echo "/w/spied.cu:1:1: error: looked at \$looked bytes of words, found:\$(echo \$found)" >&2
exit 1
END
chmod +x "$spy/build/bin/warpcc"
cp "$work/s.cu" "$work/spied.cu"
"$spy/build/bin/warpschool" --root "$spy" check 01 "$work/spied.cu" --json --grade --seed "$head${tail}788" >"$work/spied.json" 2>&1
verdict "the compiler's sandbox does not hold the seed" "$(json_says '[.findings[].message] | join("\n") | test("looked at [0-9]{3,} bytes of words, found:$"; "m")' "$work/spied.json" 2>/dev/null || jq -c "[.problem, (.findings[] | .kind, .message)]" "$work/spied.json" 2>&1 | head -c 900)"

# A program that looks through its stack, its heap, and every file that it sees. It knows the seed in disguise only, so that it does not find itself.
cat >"$work/looks.cu" <<'END'
#include <dirent.h>
static const uint64_t mask = 0x5a5a5a5a5a5a5a5a;
static long bytes_seen, files_seen;
static bool is_seed(uint64_t value) { return (value ^ mask) == FIRST || (value ^ mask) == SECOND; }
static void look_at(const char *place, const char *bytes, size_t count) {
    bytes_seen += count;
    for (size_t i = 0; i + 8 <= count; i++) {
        uint64_t word, number = 0;
        memcpy(&word, bytes + i, 8);
        size_t digits = 0;
        while (i + digits < count && digits < 19 && bytes[i + digits] >= '0' && bytes[i + digits] <= '9') number = number * 10 + (bytes[i + digits++] - '0');
        if (is_seed(word) || (digits > 8 && is_seed(number))) printf("SEED in %s\n", place);
        if (digits > 0) i += digits - 1;
    }
}
static void look_into(const char *folder, int depth) {
    static char bytes[1 << 20];
    DIR *entries = depth < 12 ? opendir(folder) : nullptr;
    while (dirent *entry = entries ? readdir(entries) : nullptr) {
        char path[1024];
        struct stat facts;
        snprintf(path, sizeof path, "%s/%s", strcmp(folder, "/") ? folder : "", entry->d_name);
        if (entry->d_name[0] == '.' || !strcmp(path, "/usr") || !strcmp(path, "/dev") || lstat(path, &facts) != 0) continue;
        if (S_ISDIR(facts.st_mode)) look_into(path, depth + 1);
        int file = S_ISREG(facts.st_mode) ? open(path, O_RDONLY) : -1;
        ssize_t got = file >= 0 ? read(file, bytes, sizeof bytes) : 0;
        if (got > 0) files_seen++, look_at(path, bytes, got);
        if (file >= 0) close(file);
    }
    if (entries) closedir(entries);
}
static size_t readable(const char *begin) { // up to the end of what is mapped there: write(2) tells
    int ends[2];
    size_t count = 0;
    char page[4096];
    if (pipe(ends) != 0) return 0;
    while (write(ends[1], begin + count, 4096) == 4096 && read(ends[0], page, 4096) == 4096) count += 4096;
    close(ends[0]), close(ends[1]);
    return count;
}
extern char end;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n == 0) return;
    const char *stack = (const char *)(((uintptr_t)__builtin_frame_address(0) | 4095) + 1);
    look_at("its stack, words and variables", stack, readable(stack));
    char *heap = (char *)sbrk(0);
    look_at("its heap", &end, heap - &end > 0 && heap - &end < (1 << 24) ? readable(&end) : 0);
    look_into("/", 0);
    printf("looked at %ld files, %ld bytes\n", files_seen, bytes_seen);
}
END
disguised() { perl -e 'print 0 + $ARGV[0] ^ 0x5a5a5a5a5a5a5a5a' "$1"; }
printf '#define FIRST %sull\n#define SECOND %sull\n' "$(disguised "$head${tail}788")" "$(disguised "$head${tail}789")" | cat - tests/cli/attacks/prelude.cuh "$work/looks.cu" >"$work/l.cu"
"$school" check 01 "$work/l.cu" --json --grade --seed "$head${tail}788" >"$work/looks.json" 2>&1
said_by_program() { jq -r .output "$work/looks.json"; }
holds "a program looks at files and at its memory" "$(said_by_program | grep -qE '^looked at ([3-9]|[1-9][0-9]+) files, [0-9]{5,} bytes'; echo $?)"
verdict "a program's sandbox does not hold the seed" "$(json_says '.verdict == "pass"' "$work/looks.json" || head -c 900 "$work/looks.json"; said_by_program | grep SEED)"

# While a program waits without end, the command lines of its check's devices: anybody may read those.
cat tests/cli/attacks/prelude.cuh - >"$work/waits.cu" <<'END'
void vector_add(float *, const float *, const float *, int) { for (;;) pause(); }
END
device_lines() { # session; one line for each device
    local id
    for id in $(ps -o pid= -s "$1"); do tr '\0' ' ' <"/proc/$id/cmdline" 2>/dev/null | grep -a -e ' --serve='; done
}
if selected "a device's command line"; then
    setsid "$school" check 01 "$work/waits.cu" --json --grade --seed "$head${tail}788" >/dev/null 2>&1 </dev/null &
    waiting=$! lines=
    while [ -z "$lines" ] && kill -0 $waiting 2>/dev/null; do lines=$(device_lines $waiting) && [ -n "$lines" ] || sleep 0.02; done
    kill $waiting 2>/dev/null
    wait $waiting 2>/dev/null
    holds "a device's command line can be read" "$(grep -q -e ' --seed-fd=' <<<"$lines"; echo $?)"
    verdict "a device's command line does not hold the seed" "$(grep -e "$head${tail}78[89]" -e ' --seed=' <<<"$lines")"
fi

# ---- a checkout below /tmp, which the sandboxes hide ----

below=$(mktemp -d -p /tmp) || exit 3
trap 'rm -rf "$work" "$below"' EXIT
cp -r "$spy/." "$below" && cp "$build/bin/warpcc" "$below/build/bin/warpcc"
for sandbox in full none; do
    verdict "a checkout below /tmp, --sandbox=$sandbox" "$("$below/build/bin/warpschool" --root "$below" check 01 $solution --json --sandbox=$sandbox 2>&1 | jq -c 'if .verdict == "pass" then empty else [.problem, .findings[].message, .cases[0].message] end' 2>&1)"
done

# ---- groups ----

# Version 1 is tried in a group of this suite's own, so that others' groups are not seen: its folders, one for each controller.
own=()
own_folder() { # controller
    local mount path
    mount=$(awk -v c="$1" '$3 == "cgroup" && $4 ~ "(^|,)" c "(,|$)" { print $2; exit }' /proc/mounts)
    path=$(awk -F: -v c="$1" '$2 ~ "(^|,)" c "(,|$)" { print $3; exit }' /proc/self/cgroup)
    [ ! -d "$mount$path" ] || { mkdir "$mount${path%/}/trust-$$" 2>/dev/null && own+=("$mount${path%/}/trust-$$"); }
}
# The shell that calls it becomes the command, so that a kill of that shell is one of the command.
in_own() { for folder in "${own[@]}"; do echo "$BASHPID" >"$folder/cgroup.procs" || exit 9; done; exec "$@"; }
left() { find "${own[@]}" -mindepth 1 -type d; }
gone() { # waits for a guard that is still at work
    local i
    for ((i = 0; i < 200; i++)); do
        [ -n "$(left)" ] || return
        sleep 0.05
    done
    left
}
drop_own() { # bash itself was never in them
    local i folder
    for folder in "${own[@]}"; do
        find "$folder" -mindepth 1 -type d -exec rmdir {} + 2>/dev/null
        for ((i = 0; i < 100; i++)); do rmdir "$folder" 2>/dev/null && break || sleep 0.02; done
    done
}
! has cgroup1 || { own_folder memory && own_folder pids; }
trap 'drop_own; rm -rf "$work" "$below"' EXIT
if [ ${#own[@]} -eq 2 ]; then
    {
        cat tests/cli/attacks/prelude.cuh
        echo 'static void fill() { if (mmap(nullptr, 640 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED) abort(); }'
        sed 's,^void decay_on_ranks(.*{$,&\n    if (n == 1009) { fill(); usleep(300000); },' solutions/18-multi-gpu/solution.cu
    } >"$work/r.cu"
    # Two groups that nobody will remove any more, of a process that cannot be; one of them is old.
    mkdir "${own[0]}"/warpschool-99999999-{old,young} && touch -d '2 minutes ago' "${own[0]}/warpschool-99999999-old"
    (in_own "$school" check 18 "$work/r.cu" --json --grade >"$work/ranks.json" 2>&1)
    verdict "ranks that each take less than one may, and together more than a group may" "$(json_says '[.findings[].message] | any(test("its processes and files needed more memory"))' "$work/ranks.json" || jq -c '[.verdict, .problem, (.findings[] | .kind, .message), .cases[].message]' "$work/ranks.json" 2>&1 | head -c 900)"
    verdict "what nobody else can remove is removed when it is old" "$([ "$(left)" = "${own[0]}/warpschool-99999999-young" ] || left)"
    rmdir "${own[0]}/warpschool-99999999-young" 2>/dev/null
    verdict "groups are removed" "$(gone)"
    in_own "$school" check 01 $solution --json --grade >/dev/null 2>&1 &
    for ((i = 0; i < 200; i++)); do
        [ -z "$(left)" ] || break
        sleep 0.01
    done
    { kill -KILL $! && wait $!; } 2>/dev/null
    verdict "also those of a check that is killed" "$(gone)"
else
    echo "SKIPPED groups: this system lends none of version 1"
fi

verdict "no file is left" "$(ls -A "$TMPDIR")"
finish
