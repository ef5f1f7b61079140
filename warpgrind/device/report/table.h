/* table.h - what is supported, as Markdown pages. */
#pragma once

#include "base/text.h"

void table_api(Text *page);
void table_ptx(Text *page);
