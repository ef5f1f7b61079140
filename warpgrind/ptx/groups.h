/* groups.h - the short names that instructions.def and words.def use for sets of types, groups of modifier
 * words, and traits.
 *
 * Included only by opcodes.c and words.c, because the names are short.
 */
#pragma once

#include <stdint.h>

/* ---- sets of types: one bit per PtxType ---- */

#define TYPE_BIT(type) (UINT64_C(1) << (type))
#define U8 TYPE_BIT(PTX_U8)
#define U16 TYPE_BIT(PTX_U16)
#define U32 TYPE_BIT(PTX_U32)
#define U64 TYPE_BIT(PTX_U64)
#define S8 TYPE_BIT(PTX_S8)
#define S16 TYPE_BIT(PTX_S16)
#define S32 TYPE_BIT(PTX_S32)
#define S64 TYPE_BIT(PTX_S64)
#define F32 TYPE_BIT(PTX_F32)
#define F64 TYPE_BIT(PTX_F64)
#define B16 TYPE_BIT(PTX_B16)
#define B32 TYPE_BIT(PTX_B32)
#define B64 TYPE_BIT(PTX_B64)
#define B128 TYPE_BIT(PTX_B128)
#define PRED TYPE_BIT(PTX_PRED)
#define BYTES (U8 | S8)
#define INTS32 (U32 | S32)
#define INTS64 (U64 | S64)
#define INTS (U16 | S16 | INTS32 | INTS64)
#define SIGNED (S16 | S32 | S64)
#define PACKED (TYPE_BIT(PTX_U16X2) | TYPE_BIT(PTX_S16X2))
#define HALVES (TYPE_BIT(PTX_F16) | TYPE_BIT(PTX_F16X2) | TYPE_BIT(PTX_BF16) | TYPE_BIT(PTX_BF16X2))
#define F32X2 TYPE_BIT(PTX_F32X2)
#define TF32 TYPE_BIT(PTX_TF32)
#define F8X2 (TYPE_BIT(PTX_E4M3X2) | TYPE_BIT(PTX_E5M2X2))
#define FLOATS (F32 | F64 | HALVES)
#define BITS (B16 | B32 | B64)
#define ELEMENTS                                                                                             \
    (TYPE_BIT(PTX_F16) | TYPE_BIT(PTX_BF16) | TF32 | F32 | F64 | S32 | BYTES | TYPE_BIT(PTX_U4) |            \
     TYPE_BIT(PTX_S4) | TYPE_BIT(PTX_B1) | TYPE_BIT(PTX_E4M3) | TYPE_BIT(PTX_E5M2))
#define MEMORY (INTS | BYTES | BITS | TYPE_BIT(PTX_B8) | B128 | FLOATS)

/* ---- groups of modifier words: which words may follow a mnemonic ---- */

#define GROUP_BIT(n) (UINT64_C(1) << (n))
#define ROUND GROUP_BIT(0)
#define ROUNDI GROUP_BIT(1)
#define FTZ GROUP_BIT(2)
#define SAT GROUP_BIT(3)
#define CC GROUP_BIT(4)
#define MULMODE GROUP_BIT(5)
#define APPROX GROUP_BIT(6)
#define FULL GROUP_BIT(7)
#define NANS GROUP_BIT(8)
#define XORSIGN GROUP_BIT(9)
#define SHIFTAMT GROUP_BIT(10)
#define SHFMODE GROUP_BIT(11)
#define TYPE2 GROUP_BIT(12) /* no words: a second type may follow */
#define TESTP GROUP_BIT(13)
#define COMPARE GROUP_BIT(14)
#define BOOLEAN GROUP_BIT(15)
#define SYNC GROUP_BIT(16)
#define SHFLMODE GROUP_BIT(17)
#define PRMT GROUP_BIT(18)
#define SEMANTICS GROUP_BIT(19)
#define SCOPE GROUP_BIT(20)
#define SPACE GROUP_BIT(21)
#define CACHE GROUP_BIT(22) /* hints without effect here */
#define NC GROUP_BIT(23)
#define VECTOR GROUP_BIT(24)
#define TO GROUP_BIT(25)
#define CPASYNC GROUP_BIT(26)
#define UNI GROUP_BIT(27)
#define BARMODE GROUP_BIT(28)
#define ALIGNED GROUP_BIT(29)
#define ATOMIC GROUP_BIT(30)
#define NOFTZ GROUP_BIT(31)
#define VOTEMODE GROUP_BIT(32)
#define DEPENDENT GROUP_BIT(33)
#define GEOMETRY GROUP_BIT(34)
#define BOUNDARY GROUP_BIT(35)
#define DETAIL GROUP_BIT(36)
#define COMPONENT GROUP_BIT(37)
#define QUERY GROUP_BIT(38)
#define VIDEO GROUP_BIT(39) /* a third type may follow, and .add */
#define RELU GROUP_BIT(40)
#define SATFINITE GROUP_BIT(41)
#define MBARRIER GROUP_BIT(42)
#define PARTS GROUP_BIT(43) /* scalar video: registers may be %r.b0 to .b3, .h0, .h1 */
#define CLUSTER GROUP_BIT(44)
#define PROXY GROUP_BIT(45)
#define SHAPE GROUP_BIT(46)
#define LAYOUT GROUP_BIT(47)
#define LAYOUTS GROUP_BIT(48) /* no words: a second layout may follow */
#define NUMBER GROUP_BIT(49)
#define POPULATION GROUP_BIT(50)
#define ANYTHING 0 /* unsupported instructions are refused before their words are looked at */

/* ---- traits ---- */

#define DROPS PTX_TRAIT_DROPS
#define PASSES PTX_TRAIT_PASSES
#define STORES PTX_TRAIT_STORES
#define SINKS PTX_TRAIT_SINKS
#define FITS PTX_TRAIT_FITS
#define ARRIVES PTX_TRAIT_ARRIVES
#define TESTS PTX_TRAIT_TESTS
