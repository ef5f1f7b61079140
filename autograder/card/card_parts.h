/* card_parts.h - what the steps of a check on a card share. */
#pragma once

#include "autograder/card/card.h"
#include "autograder/check/check.h"
#include "autograder/sandbox/sandbox.h"

/** Where the programs leave their answers. */
#define CARD_ANSWERS STAGE "/answers0"

/** g++ with MPICH's headers and library, for programs of ranks: their driver is compiled for MPICH. */
#define CARD_MPI_COMPILER "/usr/bin/mpicxx.mpich"

/** How a case's program left it, before its answers are looked at. */
typedef struct CardEnd {
    CaseVerdict verdict; /**< CASE_PASS: it went on, and the answers decide */
    const char *message; /**< otherwise */
} CardEnd;

/** Shows a sandbox the toolkit; `from` is NULL, which ends a list of these, where /usr has it already. */
SandboxBind card_show_toolkit(const Card *card);
/** Builds the program for that card; false with findings, or a diagnostic when it is not the file's fault. */
bool card_build(Check *check, const Card *card);
/** Runs the cases; one end for each is left in `ends`. False with a diagnostic. */
bool card_run(Check *check, const Card *card, CardEnd *ends);
