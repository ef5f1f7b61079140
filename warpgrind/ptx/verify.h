/* verify.h - what the files of verify.c share: the check of one instruction, and the letters of its pattern.
 */
#pragma once

#include "ptx/internal.h"

/** An instruction that is being checked against its row. */
typedef struct Verification {
    Parser *parser;
    PtxInstruction *instruction;
    bool speak;  /* report what is wrong, and turn immediates into values */
    unsigned at; /* operand */
} Verification;

/* What each letter stands for: its test, and the words for a message. */
typedef enum LetterTest {
    TEST_DESTINATION, /* a register of exactly the size */
    TEST_WIDER_DESTINATION,
    TEST_SOURCE,
    TEST_WIDER_SOURCE,
    TEST_PREDICATE,
    TEST_TRUTH, /* a predicate to be read */
    TEST_LOADED,
    TEST_STORED,
    TEST_MOV_DESTINATION,
    TEST_MOV_SOURCE,
    TEST_POINTER,
    TEST_ADDRESS,
    TEST_NUMBER,
    TEST_LABEL,
    TEST_OBJECT,
    TEST_COORDINATES,
    TEST_DERIVATIVES,
    TEST_MATRIX_A,
    TEST_MATRIX_B,
    TEST_MATRIX_C,
    TEST_MATRIX_D,
    TEST_MATRIX_ROWS
} LetterTest;

typedef enum LetterType { OF_TYPE, OF_SECOND, OF_WIDE, OF_B32, OF_B64, OF_F32, OF_NONE } LetterType;

typedef struct Letter {
    char letter;
    LetterTest test;
    LetterType type;
    bool pair, destination;
    const char *what;
} Letter;

/** Reports what the operand must be, where the check speaks. Returns false. */
bool verify_wrong(const Verification *check, unsigned operand, const char *what);

/* ---- verify_operand.c ---- */

/** The operand passes the letter's test, as one of type `want`. */
bool verify_operand_fits(const Verification *check, const Letter *letter, PtxOperand *operand, PtxType want);
/** The second operand of a|b: a predicate, or none. */
bool verify_operand_predicate(const Verification *check, const PtxOperand *operand);
