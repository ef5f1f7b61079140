/* textures.c - texture and surface instructions that may not happen: handles of nothing, destroyed objects,
 * surface accesses outside.
 */
#include "check/faults/faults.h"
#include "check/texts.h"
#include "gpu/texture.h"

typedef struct TextureStory {
    Check *check;
    const GpuTextureFault *fault;
    CheckFinding finding;
    TextureFacts facts;
} TextureStory;

/** What a mistake of the machine's list is told as. */
typedef struct TextureTexts {
    FindingKind kind;
    TextureText message, why;
} TextureTexts;

static const TextureTexts texts_of_mistake[] = {
    [GPU_TEXTURE_NO_HANDLE] = {FINDING_API_MISUSE, TEXTURE_NO_HANDLE_MESSAGE, TEXTURE_NO_HANDLE_WHY},
    [GPU_TEXTURE_DESTROYED] = {FINDING_USE_AFTER_FREE, TEXTURE_DESTROYED_MESSAGE, TEXTURE_DESTROYED_WHY},
    [GPU_TEXTURE_FREED] = {FINDING_USE_AFTER_FREE, TEXTURE_FREED_MESSAGE, TEXTURE_FREED_WHY},
    [GPU_TEXTURE_NOT_LINEAR] = {FINDING_API_MISUSE, TEXTURE_NOT_LINEAR_MESSAGE, TEXTURE_NOT_LINEAR_WHY},
    [GPU_TEXTURE_WRONG_SHAPE] = {FINDING_API_MISUSE, TEXTURE_WRONG_SHAPE_MESSAGE, TEXTURE_WRONG_SHAPE_WHY},
    [GPU_TEXTURE_LAYER] = {FINDING_OUT_OF_BOUNDS, TEXTURE_LAYER_MESSAGE, TEXTURE_LAYER_WHY},
    [GPU_TEXTURE_WRONG_KIND] = {FINDING_API_MISUSE, TEXTURE_WRONG_KIND_MESSAGE, TEXTURE_WRONG_KIND_WHY},
    [GPU_TEXTURE_OUT_OF_BOUNDS] = {FINDING_OUT_OF_BOUNDS, TEXTURE_OUTSIDE_MESSAGE, TEXTURE_OUTSIDE_WHY},
    [GPU_TEXTURE_MISALIGNED] = {FINDING_MISALIGNED, TEXTURE_MISALIGNED_MESSAGE, TEXTURE_MISALIGNED_WHY},
};

/* Where the object was destroyed, or its memory freed: the other place. */
static void know_end(TextureStory *story, uint64_t site, const char *what) {
    CheckPlace place = check_place_of_site(story->check, site);
    story->finding.other = (CheckParty){.place = place, .what = what};
    story->facts.at = (SayLine){place, &story->finding.party.place};
}

/* What the object is, and where it was destroyed or its memory freed. */
static void know_texture(TextureStory *story, const GpuTexture *texture) {
    TextureFacts *facts = &story->facts;
    uint32_t layers = texture->depth / (texture->cube ? 6 : 1);
    const GpuAllocation *nearest = gpu_memory_nearest(story->check->gpu, texture->address);
    if (story->fault->mistake == GPU_TEXTURE_DESTROYED)
        know_end(story, texture->destroy_site, "destroyed");
    else if (story->fault->mistake == GPU_TEXTURE_FREED && nearest && nearest->freed)
        know_end(story, nearest->free_site, "free");
    facts->surface = texture->surface;
    facts->rows = texture->height > 1;
    facts->deep = texture->depth > 1;
    facts->layered = texture->layered;
    facts->cube = texture->cube;
    facts->width = texture->width;
    facts->texel = texture_texel_bytes(texture);
    facts->height = texture->height;
    facts->depth = texture->depth;
    facts->layers = layers;
    facts->last = (int64_t)layers - 1;
}

/* The instruction says what kind of object it wants; when there is one, the object says the rest. */
static void know(TextureStory *story) {
    const GpuTextureFault *fault = story->fault;
    const PtxInstruction *instruction = gpu_place(story->check->gpu, fault->pc).instruction;
    PtxGeometry geometry = PTX_GEOMETRY_NONE;
    if (instruction) geometry = instruction->modifiers.geometry;
    story->facts = (TextureFacts){
        .surface = instruction && instruction->modifiers.boundary != PTX_BOUNDARY_NONE,
        .does = words_access(fault->access),
        .reference = fault->reference ? fault->reference->plain_name : NULL,
        .handle = fault->handle,
        .x = fault->at[0],
        .one_byte = fault->at[0] == 1,
        .y = fault->at[1],
        .z = fault->at[2],
        .fetch_layered = ptx_geometry_layered(geometry),
        .fetch_cube = ptx_geometry_cube(geometry),
        .bytes = fault->bytes,
    };
    if (fault->texture) know_texture(story, fault->texture);
}

/* One finding for each mistake, place and object; the table texts_of_mistake has the kind and the texts of
 * each. */
void textures_on_fault(void *self, const GpuTextureFault *fault) {
    Check *check = self;
    uint64_t key = check_key(SEEN_TEXTURE + (uint64_t)fault->mistake, fault->pc, fault->handle);
    if (check_seen(check, key, check_lane_count(fault->lanes))) return;
    const GpuBlock *block = gpu_warp_block(fault->warp);
    uint32_t thread = 32 * gpu_warp_index(fault->warp) + check_first_lane(fault->lanes);
    TextureStory story = {.check = check, .fault = fault};
    story.finding = (CheckFinding){.severity = FINDING_ERROR, .count = check_lane_count(fault->lanes)};
    story.finding.party = check_party(check, block, thread, fault->pc, words_access_noun(fault->access));
    know(&story);
    story.facts.party = (SayParty){&story.finding.party, gpu_block_launch(block)};
    const TextureTexts *texts = &texts_of_mistake[fault->mistake];
    story.finding.kind = texts->kind;
    Said said = said_texture(texts->message, texts->why, &story.facts);
    check_tell(check, &story.finding, key, &said);
}
