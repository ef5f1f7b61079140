# inputs.awk - small inputs for programs that read files, made where the program runs: awk -v program=NAME -f inputs.awk
function value(i) { return (i * 7919 + 13) % 101 }
function rows(file, count, format,   i) {
    for (i = 0; i < count; i++) printf format "\n", value(i) > file
    close(file)
}
BEGIN {
    if (program == "bfs") { # nodes: first edge and how many; the source; edges: target and cost
        n = 512
        print n > "graph.txt"
        for (i = 0; i < n; i++) print 3 * i, 3 > "graph.txt"
        print "0\n" 3 * n > "graph.txt"
        for (i = 0; i < 3 * n; i++) print (i * 5 + 1) % n, 1 + i % 9 > "graph.txt"
    }
    if (program == "hotspot") { rows("temperature.txt", 64 * 64, "3%02d.5"); rows("power.txt", 64 * 64, "0.0%03d") }
    if (program == "hotspot3D") { rows("temperature3d.txt", 2 * 64 * 64, "3%02d.5"); rows("power3d.txt", 2 * 64 * 64, "0.0%03d") }
    if (program == "dwt2d") for (i = 0; i < 3 * 64 * 64; i++) printf "%c", 40 + value(i) % 80 > "picture.bmp"
    if (program == "dct8x8") { # 512 x 512 points of three bytes, and their header
        n = split("66 77 54 0 12 0 0 0 0 0 54 0 0 0 40 0 0 0 0 2 0 0 0 2 0 0 1 0 24 0 0 0 0 0 0 0 12 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", head, " ")
        for (i = 1; i <= n; i++) printf "%c", head[i] + 0 > "teapot512.bmp"
        for (y = 0; y < 512; y++) for (x = 0; x < 512; x++) {
            shade = sprintf("%c", 40 + (x + y) / 16)
            printf "%s%s%s", shade, shade, shade > "teapot512.bmp"
        }
    }
    if (program == "NV12toBGRandResize") # 1920 x 1080 points: a byte each, and one for each two of their colour
        for (y = 0; y < 1080 * 3 / 2; y++) {
            line = ""
            for (x = 0; x < 96; x++) line = line sprintf("%c", 33 + (x + y) % 90)
            for (x = 0; x < 20; x++) printf "%s", line > "test1920x1080.nv12"
        }
    if (program == "cfd") { # a ring of cells: area; four neighbours, of which two are walls, each with its normal
        n = 384
        print n > "mesh.txt"
        for (i = 0; i < n; i++)
            print 1 + value(i) / 100, i == 0 ? n : i, "0.5 0.1 0", i == n - 1 ? 1 : i + 2, "-0.5 -0.1 0", -1, "0 0.5 0.1", -1, "0 -0.5 -0.1" > "mesh.txt"
    }
    if (program == "kmeans")
        for (i = 0; i < 400; i++) print i, value(i), value(3 * i), value(5 * i), value(11 * i) > "points.txt"
    if (program == "hybridsort") rows("values.txt", 4096, "%d.25")
    if (program == "huffman") for (i = 0; i < 65536; i++) printf "%c", 97 + value(i) % 26 > "text.txt"
    if (program == "nn") { # 49 characters a record; latitude at 29, longitude at 34
        print "storms.db" > "list.txt"
        for (i = 0; i < 100; i++) printf "%4d %2d %2d %2d %2d %-10s %5.1f%5.1f %4d %4d\n", 1950 + i % 60, 1 + i % 12, 1 + i % 28, 6, i % 10, "STORM", i % 60 + 0.5, i % 180 + 0.5, 50, 900 > "storms.db"
    }
    if (program == "b+tree") {
        n = 2000
        print n > "keys.txt"
        for (i = 0; i < n; i++) print i > "keys.txt"
        print "j 60 30\nk 100" > "commands.txt"
    }
}
