/* table.h - what is supported, as Markdown pages. */
#ifndef DEVICE_REPORT_TABLE_H
#define DEVICE_REPORT_TABLE_H

#include "base/text.h"

void table_api(Text *page);
void table_ptx(Text *page);

#endif
