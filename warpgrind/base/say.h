/* say.h - sentences for people, which are data: a text has named places and variants with conditions, and
 * code only hands over what is known.
 *
 * The texts stand in files named texts.txt, whose form base/texts.awk describes; of each section it makes a
 * struct of facts, an enum of texts and a SayStory. A place has one of the types below, or one that a layer
 * adds by a SayType `say_NAME` and a C type `SayName`.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"

/** How a fact of one C type is put into words, and whether a condition takes it for true. */
typedef struct SayType {
    void (*add)(Text *out, const void *fact);
    bool (*holds)(const void *fact); /**< NULL: always */
} SayType;

typedef bool SayFlag;        /**< is only asked for */
typedef uint64_t SayCount;   /**< "1,024"; true unless it is 0 */
typedef int64_t SayNumber;   /**< "1024", for what names something; always true */
typedef uint64_t SaySetting; /**< "1024", for what is to be typed; true unless it is 0 */
typedef int64_t SayAmount;   /**< "-1,024"; always true */
typedef uint64_t SayHex;     /**< "0x7f00" */
typedef double SayReal;      /**< "0.5" */
typedef const char *SayName; /**< as it is; true unless it is NULL */
extern const SayType say_flag, say_count, say_number, say_setting, say_amount, say_hex, say_real, say_name;

/** A place that texts name: where in the facts its value stands. */
typedef struct SayPlace {
    const char *name;
    const SayType *type;
    size_t offset;
} SayPlace;

/** A variant: the places that must be true (`!`: must not), and what is said then. */
typedef struct SayRow {
    const char *when, *text;
} SayRow;

typedef struct SayText {
    const char *name;
    const SayRow *rows;
    unsigned row_count;
} SayText;

/** A section of a file of texts: all that can be said about one set of facts. */
typedef struct SayStory {
    const char *name;
    const SayPlace *places;
    unsigned place_count;
    const SayText *texts;
    unsigned text_count;
} SayStory;

/** In place of a text: nothing is said, as where a finding has no advice. A macro, since it stands for texts
 * of every section's enum. */
#define SAY_NOTHING 0xffff

/** What a finding says: two texts about the same facts. Made by the function said_SECTION of the section, or
 * by the macro SAID_SECTION(X, .place = ...), which takes X_MESSAGE and X_WHY. */
typedef struct Said {
    const SayStory *story;
    unsigned message, why;
    const void *facts;
} Said;

/** Adds the first variant of the text whose condition holds; nothing when none does. `facts` is the section's
 * struct. */
void say(Text *out, const SayStory *story, unsigned text, const void *facts);
/** The same in the arena: what told_SECTION and TOLD_SECTION(TEXT, arena, .place = ...) give. NULL without
 * memory. */
const char *say_told(Arena *arena, const SayStory *story, unsigned text, const void *facts);
/** A text that names no place and has no variants, as it is. */
const char *say_plain(const SayStory *story, unsigned text);
/** Both texts, each into a buffer of its own. */
void say_both(Text *message, Text *why, const Said *said);
