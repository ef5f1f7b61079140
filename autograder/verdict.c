/* verdict.c - decides each case in both schedules; see verdict.h.
 *
 * A case has its points when it is right in every schedule. Of all wrong cases only the first becomes a
 * finding: one cause usually spoils many.
 */
#include "autograder/verdict.h"

#include "autograder/evidence.h"
#include "autograder/hidden.h"
#include "autograder/kept.h"
#include "autograder/origin.h"
#include "autograder/report.h"
#include "autograder/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a case looked like in one schedule. */
typedef struct Outcome {
    CaseVerdict verdict;
    const char *message;
    JudgeDecision decision;
} Outcome;

static const char *after_printing(const Check *check, const CaseEnd *end) {
    if (end->last_line == NULL) return "";
    return arena_format(check->arena, ", after printing \"%s\"", end->last_line);
}

/* ---- endings ---- */

typedef struct EndText {
    RunEnd end;
    CaseVerdict verdict;
    FindingKind kind;
    const char *message, *explanation;
} EndText;

static const EndText end_texts[] = {
    {RUN_CRASHED, CASE_CRASH, FINDING_CRASH, "the program crashed",
     "The host side of your program touched memory that is not its own. Look for a device pointer that is "
     "used on the host, "
     "an index outside a host array, or a pointer that was never set."},
    {RUN_EXITED, CASE_EXIT, FINDING_CRASH, "the program called exit() before it had written its answer",
     "Your function should return to the lesson's program. It may end the program when a runtime call "
     "fails, as CHECK does; then the message that it prints says which call."},
    {RUN_TIMEOUT, CASE_TIMEOUT, FINDING_TIMEOUT, "the program was stopped: it ran out of time",
     "Look for a loop that never ends, on the host or in a kernel: which variable should end it, and does it "
     "change?"},
    {RUN_CPU_LIMIT, CASE_TIMEOUT, FINDING_TIMEOUT, "the program was stopped: it ran out of processor time",
     "Look for a loop on the host that never ends: which variable should end it, and does it change?"},
    {RUN_FILE_LIMIT, CASE_CRASH, FINDING_LIMIT, "the program was stopped: it wrote too large a file",
     "The lesson needs no files from your code."},
    {RUN_FORBIDDEN, CASE_CRASH, FINDING_LIMIT, "the program was stopped: it tried to start another process",
     "A lesson's code runs in one process; it may start threads, but do not call fork, system or popen."},
    {RUN_FLOODED, CASE_TIMEOUT, FINDING_LIMIT, "the program was stopped: it printed without end",
     "Print a few elements, or only from one thread: if (threadIdx.x == 0 && blockIdx.x == 0) printf(...)."},
    {RUN_APART, CASE_EXIT, FINDING_RANKS_APART,
     "the program was stopped: its ranks missed each other in a call",
     "All ranks of a communicator make the same collective calls in the same order."},
    {RUN_TOGETHER, CASE_CRASH, FINDING_LIMIT,
     "the program was stopped: its processes and files needed more memory than the lesson allows",
     "Memory of the host counts here, and so do files in /tmp. Look for memory that is allocated in a loop."},
    {RUN_MEMORY, CASE_CRASH, FINDING_LIMIT,
     "the program was stopped: the software GPU needed more memory for it than the lesson allows",
     "Device memory counts, and so do the records of each byte that a kernel touches. Look for an "
     "array "
     "that is much too large, or for memory that is allocated in a loop."},
};

static const EndText *text_of_end(RunEnd end) {
    for (size_t i = 0; i < sizeof end_texts / sizeof *end_texts; i++)
        if (end_texts[i].end == end) return &end_texts[i];
    BUG("no text for ending %d", (int)end);
}

static const char *message_of_end(const Check *check, const CaseEnd *end, const char *message) {
    enum { STATUS_DEVICE = 71 }; /* the driver's own call was refused by the device */
    if (end->end == RUN_CRASHED)
        return arena_format(check->arena, "%s (%s)%s", message, strsignal(end->detail),
                            after_printing(check, end));
    if (end->end != RUN_EXITED) return message;
    if (end->detail == STATUS_DEVICE)
        return "after your function returned, every call failed: an earlier error on the device had stopped "
               "it";
    return arena_format(check->arena, "the program called exit(%d) before it had written its answer%s",
                        end->detail, after_printing(check, end));
}

bool verdict_is_about_answer(FindingKind kind) {
    return kind == FINDING_WRONG_ANSWER || kind == FINDING_NOT_ON_GPU || kind == FINDING_NOT_BY_KERNEL ||
           kind == FINDING_NOT_AS_ASKED;
}

/* What the device found explains an ending better than the ending itself; one ending of a kind is enough.
 * What it found in a hidden case explains no ending that is told. */
static bool is_explained(const Check *check, unsigned index, FindingKind kind) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next) {
        if (hidden_finding(check, finding) && !hidden_case(check, index)) continue;
        bool follows = verdict_is_about_answer(finding->kind);
        if (finding->kind == kind || (finding->severity == FINDING_ERROR && !follows)) return true;
    }
    return false;
}

/* What the text of an ending cannot know: a program of ranks may stand though no loop does. */
static const char *explain_end(const EndText *text, bool ranks) {
    if (text->end == RUN_TIMEOUT && ranks)
        return "Ranks may be waiting for each other: MPI_Recv waits until a rank has sent to this one, with "
               "the same tag and communicator, and a large MPI_Send until its partner receives. Say for each "
               "rank which call it is in. Or is there a loop that never ends, on the host or in a kernel?";
    return text->explanation;
}

/* A kernel that gets on, but not fast enough, is where the time went. */
static void name_stopped_launch(Check *check, const Schedule *schedule, unsigned index, Finding *finding) {
    const Place stopped = report_find_stopped(check, schedule, index);
    if (stopped.line == 0 || stopped.kernel == NULL) return;
    finding->line = stopped.line;
    finding->message = arena_format(check->arena, "%s while %s ran", finding->message, stopped.kernel);
    finding->explanation = "The kernel got on, but not fast enough. Does each loop come nearer to its end, "
                           "and does it take as many "
                           "rounds as you meant? How many threads share the work? One thread that does it "
                           "all takes the longest.";
}

static void add_end_finding(Check *check, const Schedule *schedule, const Outcome *outcome, unsigned index) {
    const CaseEnd *end = &schedule->ends[index];
    const EndText *text = text_of_end(end->end);
    if (is_explained(check, index, text->kind)) return;
    Finding *finding = result_add(check->result, check->arena, text->kind);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->message = outcome->message;
    finding->explanation = explain_end(text, check->settings[index].ranks > 0);
    finding->case_name = check->judge->cases[index].name;
    if (end->end == RUN_TIMEOUT) name_stopped_launch(check, schedule, index, finding);
}

/* ---- one case ---- */

static int open_answers(const Schedule *schedule, unsigned index) {
    char path[256];
    snprintf(path, sizeof path, "%s/%02u", schedule->answers, index);
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static Outcome decide_answer(Check *check, const Schedule *schedule, unsigned index) {
    int folder = open_answers(schedule, index);
    Outcome outcome = {.decision =
                           cases_decide(&check->cases[schedule->number][index], check->judge, folder)};
    if (folder >= 0) close(folder);
    outcome.verdict = outcome.decision.passed ? CASE_PASS : CASE_WRONG;
    outcome.message = outcome.decision.message ? outcome.decision.message : "the answer is wrong";
    return outcome;
}

static Outcome decide_in_schedule(Check *check, const Schedule *schedule, unsigned index) {
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED) return decide_answer(check, schedule, index);
    if (end->end == RUN_NOT_RUN && schedule->hung_case != NULL)
        return (Outcome){.verdict = CASE_NOT_RUN,
                         .message =
                             arena_format(check->arena, "not run: the kernel of the case \"%s\" never ended",
                                          schedule->hung_case)};
    if (end->end == RUN_NOT_RUN)
        return (Outcome){.verdict = CASE_NOT_RUN,
                         .message = "not run: earlier cases used up the time or the restarts"};
    const EndText *text = text_of_end(end->end);
    if (end->end == RUN_EXITED && schedule->hung_case == check->judge->cases[index].name)
        return (Outcome){.verdict = CASE_TIMEOUT, .message = "the kernel never ended and was stopped"};
    return (Outcome){.verdict = text->verdict, .message = message_of_end(check, end, text->message)};
}

/* Kernels filled device memory, and nothing of it came back. */
static const char *explain_no_copy_back(const Check *check, const JudgeDecision *decision) {
    const char *answer = decision->answer ? decision->answer : "the answer";
    const char *name = arena_format(check->arena, "h_%s", answer);
    if (name == NULL || source_find_word(check->submission->source.bytes, name) == 0) name = answer;
    return arena_format(check->arena,
                        "Your kernel ran, but nothing was copied back to `%s`. After the launch: "
                        "cudaMemcpy(%s, the device's array, its bytes, cudaMemcpyDeviceToHost).",
                        name, name);
}

static const char *explain_wrong(const JudgeDecision *decision, const Place *place) {
    if (place->kernel == NULL && !decision->unwritten)
        return "No kernel wrote this element: it still has what the host put there. Which thread should "
               "write "
               "it? And where your function copies the answer back itself: does the copy bring this element, "
               "into the right array?";
    if (place->kernel == NULL)
        return "When your function returned, no kernel and no copy had written this element. Which thread "
               "should write it, and does that thread run?";
    if (decision->unwritten)
        return "The element was written at this line, from something that itself never got a value. Where "
               "do the values on the right-hand side come from?";
    if (place->of_another)
        return "Elements of the answer are written at this line. Which thread should write this one, and "
               "what does "
               "it write?";
    return "The element was last written at this line. Work through it by hand for this element: which "
           "values go in, and what "
           "comes out?";
}

/* cudaMemcpy(h_z, d_z, n, ...): the element lies behind the end of what was copied. */
static const char *explain_short_copy(const Check *check, long copied, size_t bytes) {
    enum { ELEMENT_BYTES = 4 };
    Text text;
    text_init(&text);
    text_add(&text, "This line copied ");
    text_number(&text, (uint64_t)copied);
    text_add(&text, " of the answer's ");
    text_number(&text, bytes);
    text_add(&text, " bytes, that is ");
    text_number(&text, (uint64_t)copied / ELEMENT_BYTES);
    text_add(&text, " of ");
    text_number(&text, bytes / ELEMENT_BYTES);
    text_format(&text,
                " float%s. The rest never left the device. cudaMemcpy counts bytes: n * sizeof(float) for "
                "n floats.",
                bytes == ELEMENT_BYTES ? "" : "s");
    const char *kept = arena_string(check->arena, text.bytes);
    text_free(&text);
    return kept ? kept : "This line copied only a part of the answer to the host.";
}

/* An answer that a call of the runtime gave, and no kernel. */
static bool find_call(const Check *check, const Schedule *schedule, unsigned index,
                      const JudgeDecision *decision, Finding *finding) {
    if (decision->call == NULL) return false;
    int line = origin_calls(check, schedule, index, decision->call).line;
    if (line == 0) line = source_find_word(check->submission->source.bytes, decision->call);
    if (line == 0 && decision->function != NULL)
        line = source_find_word(check->submission->source.bytes, decision->function);
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    finding->explanation = decision->advice;
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
        finding->explanation = explain_short_copy(check, copied, bytes);
        return true;
    }
    char name[64];
    int line = source_find_constant_assignment(check->submission->source.bytes, name, sizeof name);
    if (line == 0) return false;
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    finding->explanation =
        arena_format(check->arena,
                     "On the host, %s is only a placeholder: an assignment changes that, and never "
                     "reaches the constant memory that kernels read. Copy the value there: "
                     "cudaMemcpyToSymbol(%s, &value, sizeof value).",
                     name, name);
    return true;
}

static void add_wrong_answer(Check *check, const Schedule *schedule, unsigned index, const Outcome *outcome) {
    enum { ELEMENT_BYTES = 4 };
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_WRONG_ANSWER) return;
    const JudgeDecision *decision = &outcome->decision;
    size_t offset = decision->wrong_index > 0 ? (size_t)decision->wrong_index * ELEMENT_BYTES : 0;
    Place place = report_find_writer(check, schedule, index,
                                     check->cases[schedule->number][index].files->answer_bytes, offset);
    Finding *finding = result_add(check->result, check->arena, FINDING_WRONG_ANSWER);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->line = place.line;
    finding->column = place.column;
    finding->kernel = place.kernel;
    finding->case_name = check->judge->cases[index].name;
    finding->message = outcome->message;
    finding->by_itself = true;
    if (find_call(check, schedule, index, decision, finding) ||
        find_cause(check, schedule, index, offset, finding))
        return;
    finding->by_itself = place.kernel == NULL && origin_never_copied_back(schedule, index);
    finding->explanation =
        finding->by_itself ? explain_no_copy_back(check, decision) : explain_wrong(decision, &place);
}

static void add_not_on_gpu(Check *check, unsigned index) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_NOT_ON_GPU) return;
    Finding *finding = result_add(check->result, check->arena, FINDING_NOT_ON_GPU);
    if (finding == NULL) return;
    Place place = report_find_writer(check, &(Schedule){0}, index, 0, 0);
    finding->file = check->submission->path;
    finding->line = place.line;
    finding->case_name = check->judge->cases[index].name;
    finding->message = "the numbers are right, but no kernel made them";
    finding->explanation = "This lesson is about computing on the GPU: launch a kernel that computes the "
                           "answer from the inputs, and return what it wrote, unchanged.";
}

/* What the lists of launches and copies do not show cannot count for the program. */
static void fail_unfollowed(Check *check, unsigned index, Outcome *outcome) {
    enum { LISTED = 1000 };
    outcome->verdict = CASE_REFUSED;
    outcome->message = "right, but there were too many launches or copies to follow";
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_LIMIT) return;
    Finding *finding = result_add(check->result, check->arena, FINDING_LIMIT);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->line = report_find_writer(check, &(Schedule){0}, index, 0, 0).line;
    finding->case_name = check->judge->cases[index].name;
    finding->message = "too many launches or copies to follow where the answer came from";
    finding->explanation = arena_format(check->arena,
                                        "The check follows the first %s launches and copies, and the "
                                        "answer did not come from those. The lesson needs only a few: "
                                        "look for a launch or a cudaMemcpy in a loop.",
                                        arena_number(check->arena, LISTED));
}

/* A small case may well be solved in a simpler way. Hidden cases do not take the part of the largest one that
 * students see; a hidden one as large as that has to be solved as asked, too. */
static bool is_largest_case(const Judge *judge, unsigned index) {
    for (unsigned i = 0; i < judge->case_count; i++)
        if (judge->cases[i].concept == NULL && judge->cases[i].n > judge->cases[index].n) return false;
    return true;
}

/* A right answer, made in another way than the lesson is about. */
static void fail_not_as_asked(Check *check, const Schedule *schedule, unsigned index, const char *how,
                              const char *explanation, Outcome *outcome) {
    outcome->verdict = CASE_REFUSED;
    outcome->message = arena_format(check->arena, "right, but %s", how);
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_NOT_AS_ASKED) return;
    Finding *finding = result_add(check->result, check->arena, FINDING_NOT_AS_ASKED);
    if (finding == NULL) return;
    Place place = report_find_launch(check, schedule, index);
    finding->file = check->submission->path;
    finding->line = place.line;
    finding->column = place.column;
    finding->case_name = check->judge->cases[index].name;
    finding->message = arena_format(check->arena, "the numbers are right, but %s", how);
    finding->explanation = explanation;
}

static void check_uses(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    if (!is_largest_case(check->judge, index)) return;
    const Use *missing = origin_missing_use(check, schedule, index);
    if (origin_is_library(check, schedule, index))
        fail_not_as_asked(
            check, schedule, index, "made with a kernel of the library",
            "This lesson is about writing the kernel yourself. CUB and Thrust come in lesson 13. To compare "
            "your kernel with one of theirs, call theirs in a program of its own.",
            outcome);
    else if (missing != NULL && origin_is_cut(schedule, index))
        fail_unfollowed(check, index, outcome);
    else if (missing != NULL)
        fail_not_as_asked(check, schedule, index,
                          arena_format(check->arena, "made without %s", missing->what), missing->explanation,
                          outcome);
}

static bool needs_kernel(const Check *check, const JudgeCaseSpec *spec) {
    return check->lesson->manifest.must_launch && spec->n > 0 && !spec->copied;
}

static void fail_trespass(Check *check, const Schedule *schedule, unsigned index, const Trespass *trespass,
                          Outcome *outcome) {
    enum { ELEMENT_BYTES = 4 };
    const char *name = check->judge->name_kept(&check->cases[schedule->number][index], trespass->copy,
                                               trespass->offset / ELEMENT_BYTES);
    outcome->verdict = CASE_WRONG;
    outcome->message = arena_format(check->arena, "%s was written, and should have been left alone",
                                    name != NULL ? name : "an element");
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_WRONG_ANSWER) return;
    Finding *finding = result_add(check->result, check->arena, FINDING_WRONG_ANSWER);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->line = trespass->place.line;
    finding->column = trespass->place.column;
    finding->case_name = check->judge->cases[index].name;
    finding->message = outcome->message;
    finding->explanation =
        "It does not matter what this line stored there, even if the value was the same as before: others "
        "may be using that memory at the same time, and their values would be lost. Put the store under a "
        "condition that leaves this element out.";
}

/* Of lessons that have kept memory: kernels have left it alone, and have made all the rest. */
static void check_kept(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    Trespass trespass;
    if (check->judge->name_kept == NULL || outcome->verdict != CASE_PASS) return;
    if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
    } else if (kept_find_trespass(check, schedule, index, &trespass)) {
        fail_trespass(check, schedule, index, &trespass, outcome);
    } else if (!kept_rest_is_made(schedule, index)) {
        outcome->verdict = CASE_REFUSED;
        outcome->message = "right, but not all of it was written by a kernel";
        add_not_on_gpu(check, index);
    }
}

/* A device that had to be killed tells nothing, of the cases before the last one either: nobody is accused,
 * and nothing counts. */
static void leave_untold(Outcome *outcome) {
    outcome->verdict = CASE_REFUSED;
    outcome->message = "right, but the program was stopped before it was known how it came to the answer";
}

static void check_device_was_used(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    const JudgeCaseSpec *spec = &check->judge->cases[index];
    if (outcome->verdict != CASE_PASS || !needs_kernel(check, spec)) return;
    if (origin_is_device(check, schedule, index)) {
        check_uses(check, schedule, index, outcome);
        check_kept(check, schedule, index, outcome);
        return;
    }
    if (report_of_case(schedule, index) == NULL) {
        leave_untold(outcome);
        return;
    }
    if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
        return;
    }
    outcome->verdict = CASE_REFUSED;
    outcome->message = "right, but not computed by a kernel";
    add_not_on_gpu(check, index);
}

/* ---- what the host sent, in both schedules ---- */

static const char *explain_evidence(const Check *check, const EvidenceFault *fault) {
    const char *call = fault->call;
    switch (fault->found) {
    case EVIDENCE_CONTENTS:
        return arena_format(
            check->arena,
            "The program ran twice, with different values of the same sizes. In %s the host sent "
            "different bytes the second time, and they are neither the inputs nor what came back from the "
            "device: they were worked out on the host. Send the inputs as they are, and compute in the "
            "kernel.",
            call);
    case EVIDENCE_SHAPE:
        return arena_format(check->arena,
                            "The program ran twice, with different values of the same sizes. The second "
                            "time, %s had another size, place or shape, so it tells the device something "
                            "about the values. Let it depend on the sizes alone.",
                            call);
    case EVIDENCE_CALLS:
    case EVIDENCE_CUT:
    case EVIDENCE_THREADS:
    case EVIDENCE_APART:
    case EVIDENCE_FINE:
        break;
    }
    return arena_format(
        check->arena,
        "The program ran twice, with different values of the same sizes, and made different calls, "
        "beginning with %s. Which calls are made must not depend on the values: only the kernel should "
        "look at those.",
        call);
}

static void refuse_case(const Check *check, unsigned index, const char *message) {
    CaseResult *result = &check->result->cases[index];
    result->verdict = CASE_REFUSED;
    result->points = 0;
    result->message = message;
}

static void add_not_by_kernel(Check *check, const Schedule *schedule, unsigned index,
                              const EvidenceFault *fault) {
    refuse_case(check, index, "right, but worked out on the host");
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_NOT_BY_KERNEL) return;
    Finding *finding = result_add(check->result, check->arena, FINDING_NOT_BY_KERNEL);
    if (finding == NULL) return;
    bool own = fault->file != NULL && fault->line > 0 && check_is_own_file(check, fault->file);
    finding->file = check->submission->path;
    finding->line = own ? fault->line : report_find_launch(check, schedule, index).line;
    finding->case_name = check->judge->cases[index].name;
    finding->message = "the numbers are right, but the host did the kernel's work";
    finding->explanation =
        fault->call != NULL
            ? explain_evidence(check, fault)
            : "The host adds up what the kernels left, and nothing else: your answer is not the sum of "
              "what was copied back. Let the kernels compute the partial sums, and add those.";
}

static bool adds_up(const Check *check, const Schedule *schedule, unsigned index) {
    const float *answer = check->cases[schedule->number][index].files->answer;
    return answer == NULL || evidence_adds_up(check, schedule, index, *answer);
}

/* Of a case that is right in both schedules: whether kernels made it so. */
static bool check_evidence(Check *check, const Schedule *schedules, unsigned index) {
    const Manifest *manifest = &check->lesson->manifest;
    if (!needs_kernel(check, &check->judge->cases[index])) return true;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        if (report_of_case(&schedules[i], index) == NULL) return true; /* note_outcome says so */
    EvidenceFault fault = evidence_compare(check, schedules, index);
    if (fault.found == EVIDENCE_APART) {
        refuse_case(check, index,
                    "right, but the program died in an earlier case of one run and not of the other, so that "
                    "the two cannot be compared");
        return false;
    }
    if (fault.found == EVIDENCE_THREADS) {
        refuse_case(
            check, index,
            "right, but host threads used one device at the same time, and their calls came in another "
            "order in each of the two runs, so that these cannot be compared: let one thread make all "
            "the calls of a device, or give each thread a device of its own");
        return false;
    }
    if (fault.found == EVIDENCE_CUT) {
        Outcome outcome = {0};
        fail_unfollowed(check, index, &outcome);
        refuse_case(check, index, outcome.message);
        return false;
    }
    bool fine = fault.found == EVIDENCE_FINE;
    if (fine && manifest->host_finishes)
        fine = adds_up(check, &schedules[0], index) && adds_up(check, &schedules[1], index);
    if (fine) return true;
    add_not_by_kernel(check, &schedules[0], index, &fault);
    return false;
}

static void note_outcome(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    check_device_was_used(check, schedule, index, outcome);
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED && outcome->verdict == CASE_WRONG)
        add_wrong_answer(check, schedule, index, outcome);
    else if (end->end != RUN_COMPLETED && end->end != RUN_NOT_RUN)
        add_end_finding(check, schedule, outcome, index);
}

static void decide_case(Check *check, const Schedule *schedules, unsigned count, unsigned index) {
    const JudgeCaseSpec *spec = &check->judge->cases[index];
    CaseResult *result = &check->result->cases[index];
    *result =
        (CaseResult){.name = spec->name, .verdict = CASE_PASS, .max_points = spec->points, .message = ""};
    Outcome outcomes[CHECK_SCHEDULES];
    unsigned right = 0;
    for (unsigned i = 0; i < count; i++) {
        outcomes[i] = decide_in_schedule(check, &schedules[i], index);
        right += outcomes[i].verdict == CASE_PASS;
    }
    if (right == count && !check_evidence(check, schedules, index)) return;
    right = 0;
    for (unsigned i = 0; i < count; i++) {
        note_outcome(check, &schedules[i], index, &outcomes[i]);
        right += outcomes[i].verdict == CASE_PASS;
        if (outcomes[i].verdict == CASE_PASS || result->verdict != CASE_PASS) continue;
        result->verdict = outcomes[i].verdict;
        result->message = outcomes[i].message;
    }
    if (right == count) result->points = spec->points;
    if (right > 0 && right < count)
        result->message = arena_format(check->arena, "right in one order of execution, not in another: %s",
                                       result->message);
}

/* ---- one template for two types ---- */

/* The case of that name; the number of cases when there is none. */
static unsigned case_named(const Judge *judge, const char *name) {
    unsigned index = 0;
    while (index < judge->case_count && strcmp(judge->cases[index].name, name) != 0)
        index++;
    return index;
}

static void refuse_kernels(Check *check, const Schedule *schedule, unsigned index, unsigned other,
                           const char *kernel) {
    refuse_case(check, index, "right, but not by a kernel template");
    Finding *finding = result_add(check->result, check->arena, FINDING_NOT_AS_ASKED);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->line = report_find_launch(check, schedule, index).line;
    finding->case_name = check->judge->cases[index].name;
    finding->message = arena_format(
        check->arena, "the numbers are right, but the cases \"%s\" and \"%s\" do not share their kernels: %s",
        check->judge->cases[other].name, check->judge->cases[index].name, kernel);
    finding->explanation =
        "Write each kernel once, as a template: template <typename T> __global__ void kernel(T *d_out, const "
        "T "
        "*d_in, int n). The type of the arguments then says which instance a launch means.";
}

static void check_templates(Check *check, const Schedule *schedule) {
    enum { PAIR = 2 };
    const TextList *names = &check->lesson->manifest.same_templates;
    const char *kernel = NULL;
    if (names->count == 0) return;
    unsigned first = case_named(check->judge, names->items[0]);
    unsigned second = case_named(check->judge, names->items[names->count - 1]);
    if (names->count != PAIR || first == check->judge->case_count || second == check->judge->case_count) {
        diag_add(check->diagnostics, DIAG_ERROR, check->lesson->folder, 0, 0,
                 "lesson.yaml: `same_templates` must name two cases of judge.c");
        return;
    }
    const CaseResult *cases = check->result->cases;
    if (cases[first].verdict != CASE_PASS || cases[second].verdict != CASE_PASS) return;
    if (!origin_same_templates(schedule, first, second, &kernel))
        refuse_kernels(check, schedule, second, first, kernel);
}

void verdict_decide_cases(Check *check, const Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < check->judge->case_count; i++)
        decide_case(check, schedules, count, i);
    check_templates(check, &schedules[0]);
}
