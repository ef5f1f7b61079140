/* verdict_place.c - where a wrong element came from, as far as the records of the run tell it: the line to
 * name, and what there is to say of it; see verdict_parts.h.
 */
#include "autograder/verdict/verdict_parts.h"

#include "autograder/check/source.h"
#include "autograder/evidence/origin.h"
#include "autograder/evidence/report.h"
#include "autograder/texts.h"

static void advise_origin(const Check *check, Finding *finding, OriginText why, const OriginFacts *facts) {
    finding_advise(finding, check->arena, said_origin(SAY_NOTHING, why, facts));
}

/* Kernels filled device memory, and nothing of it came back. */
static void explain_no_copy_back(const Check *check, const JudgeDecision *decision, Finding *finding) {
    const char *answer = "the answer";
    if (decision->answer != NULL) answer = decision->answer;
    const char *name = arena_format(check->arena, "h_%s", answer);
    if (name == NULL || source_find_word(check->submission->source.bytes, name) == 0) name = answer;
    advise_origin(check, finding, ORIGIN_NO_COPY_WHY, &(OriginFacts){.name = name});
}

static void explain_short_copy(const Check *check, long copied, size_t bytes, Finding *finding) {
    enum { ELEMENT_BYTES = 4 };
    const OriginFacts facts = {.copied = (uint64_t)copied,
                               .bytes = bytes,
                               .elements = (uint64_t)copied / ELEMENT_BYTES,
                               .count = bytes / ELEMENT_BYTES,
                               .one = bytes == ELEMENT_BYTES};
    advise_origin(check, finding, ORIGIN_SHORT_COPY_WHY, &facts);
}

/* Where nothing more is known than who wrote the element, if anybody did. */
static OriginText why_of_writer(const Check *check, const Place *place, const JudgeDecision *decision) {
    if (place->by_library) return ORIGIN_BY_LIBRARY_WHY;
    if (place->kernel == NULL && decision->unwritten) return ORIGIN_NOBODY_WHY;
    if (place->kernel == NULL) return place->of_another ? ORIGIN_UNKNOWN_WHY : ORIGIN_HOST_STAYS_WHY;
    if (place->of_another && check->lesson->manifest.host_finishes) return ORIGIN_PARTS_WHY;
    if (place->of_another) return ORIGIN_ANOTHER_WHY;
    if (decision->unwritten) return ORIGIN_FROM_UNWRITTEN_WHY;
    return ORIGIN_WRITER_WHY;
}

/* An answer that a call of the runtime gave, and no kernel. */
static bool find_call(const Check *check, const Schedule *schedule, unsigned index,
                      const JudgeDecision *decision, Finding *finding) {
    if (decision->call == NULL) return false;
    int line = origin_calls(check, schedule, cases_whole(index), decision->call).line;
    if (line == 0) line = source_find_word(check->submission->source.bytes, decision->call);
    if (line == 0 && decision->function != NULL)
        line = source_find_word(check->submission->source.bytes, decision->function);
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    finding->explanation = decision->advice;
    finding->advice = decision->cause;
    return true;
}

/* In any case: a program keeps its constants from one to the next. */
static bool may_set_constants(const Check *check, const Schedule *schedule) {
    static const char sets[] = "cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaGetSymbolAddress";
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (origin_calls(check, schedule, cases_whole(i), sets).count > 0) return true;
    return false;
}

/* A __constant__ variable that no call has set: what was done to it instead, and where; SAY_NOTHING when
 * there is none, or a call may have set it. */
static OriginText find_unset_constant(const Check *check, const Schedule *schedule, char *name, size_t room,
                                      int *line) {
    const char *text = check->submission->source.bytes;
    if (may_set_constants(check, schedule)) return SAY_NOTHING;
    *line = source_find_constant_assignment(text, name, room);
    if (*line > 0) return ORIGIN_PLACEHOLDER_WHY;
    const int declared = source_find_unset_constant(text, name, room);
    if (declared == 0) return SAY_NOTHING;
    *line = source_find_word(text, "cudaMemcpyFromSymbol");
    if (*line == 0) *line = source_find_word(text, "cudaMemcpyFromSymbolAsync");
    if (*line > 0) return ORIGIN_FROM_SYMBOL_WHY;
    *line = declared;
    return ORIGIN_NEVER_SET_WHY;
}

static bool find_symbol_cause(const Check *check, const Schedule *schedule, Finding *finding) {
    char name[64];
    int line = 0;
    const OriginText why = find_unset_constant(check, schedule, name, sizeof name, &line);
    if (why == SAY_NOTHING) return false;
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    advise_origin(check, finding, why, &(OriginFacts){.name = name});
    return true;
}

/* The causes that have a line of their own, which is then the finding's. */
static bool find_cause(Check *check, const Schedule *schedule, unsigned index, size_t offset,
                       Finding *finding) {
    size_t bytes = check->cases[schedule->number][index].files->answer_bytes;
    Place copy;
    long copied;
    if (report_find_short_copy(check, schedule, index, bytes, offset, &copy, &copied)) {
        finding->line = copy.line;
        finding->column = copy.column;
        finding->kernel = NULL;
        explain_short_copy(check, copied, bytes, finding);
        return true;
    }
    return find_symbol_cause(check, schedule, finding);
}

/* Whether that is no more than where the element, or what it was made of, was written. */
static bool says_place_alone(OriginText why) {
    return why == ORIGIN_WRITER_WHY || why == ORIGIN_ANOTHER_WHY || why == ORIGIN_UNKNOWN_WHY ||
           why == ORIGIN_BY_LIBRARY_WHY || why == ORIGIN_PARTS_WHY;
}

/* What there is to say of where the element came from; the line is that of a cause that is known (a call, a
 * copy that is too short, a __constant__ that is assigned to), else the one that last wrote the element. */
void verdict_place_answer(Check *check, const Schedule *schedule, unsigned index,
                          const JudgeDecision *decision, Finding *finding) {
    enum { ELEMENT_BYTES = 4 };
    size_t offset = 0;
    if (decision->wrong_index > 0) offset = (size_t)decision->wrong_index * ELEMENT_BYTES;
    Place place = report_find_writer(check, schedule, index,
                                     check->cases[schedule->number][index].files->answer_bytes, offset);
    finding->line = place.line;
    finding->column = place.column;
    finding->kernel = place.kernel;
    finding->by_itself = true;
    finding->only_placed = false;
    finding->advice = NULL;
    if (find_call(check, schedule, index, decision, finding) ||
        find_cause(check, schedule, index, offset, finding))
        return;
    finding->by_itself = place.kernel == NULL && origin_never_copied_back(schedule, index);
    if (decision->advice != NULL) {
        finding->explanation = decision->advice;
        finding->advice = decision->cause;
    } else if (finding->by_itself) {
        explain_no_copy_back(check, decision, finding);
    } else {
        const OriginText why = why_of_writer(check, &place, decision);
        finding->only_placed = says_place_alone(why);
        advise_origin(check, finding, why, &(OriginFacts){.known = decision->cause != NULL});
    }
}
