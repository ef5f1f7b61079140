# alone.awk - a driver.cu with the course's headers written into it, each once: `awk -f alone.awk lessons/NN-name/driver.cu`. nvcc compiles it where nothing else of the
# tree is to be seen.
function write(path,    line, name) {
    if (path in written) return
    written[path] = 1
    while ((status = (getline line < path)) > 0) {
        if (line ~ /^#include "/) {
            name = line
            sub(/^#include "/, "", name)
            sub(/".*/, "", name)
            write(name)
        } else {
            print line
        }
    }
    if (status < 0) {
        print "alone.awk: cannot read " path >"/dev/stderr"
        exit 1
    }
    close(path)
}
BEGIN { write(ARGV[1]) }
