/* ir_text.c - LLVM's text, as those read it who change it on its way. */
#include "warpcc/warpcc.h"

#include <stdlib.h>
#include <string.h>

const char *ir_line_end(const char *line) {
    return line + strcspn(line, "\n");
}

bool ir_is_opaque(const char *ir) {
    static const char VERSION[] = "clang version ";
    const char *identity = strstr(ir, "!DICompileUnit(");
    const char *version = NULL;
    if (identity) version = strstr(identity, VERSION);
    return version && strtoul(version + strlen(VERSION), NULL, 10) >= 15;
}

bool ir_replace(Text *text, Text *by, bool made) {
    if (!made || by->failed) {
        text_free(by);
        return false;
    }
    text_free(text);
    *text = *by;
    return true;
}
