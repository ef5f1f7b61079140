/* textures.c - texture and surface instructions that may not happen: handles of nothing, destroyed objects,
 * surface accesses outside.
 */
#include "check/parts.h"
#include "gpu/texture.h"

#include <inttypes.h>

typedef struct TextureStory {
    Check *check;
    const GpuTextureFault *fault;
    CheckFinding finding;
    Text message, why;
} TextureStory;

static const char *object_noun(const GpuTexture *texture) {
    return texture->surface ? "surface" : "texture";
}

static bool wants_surface(const TextureStory *story) {
    const GpuPlace place = gpu_place(story->check->gpu, story->fault->pc);
    return place.instruction && place.instruction->modifiers.boundary != PTX_BOUNDARY_NONE;
}

static void tell_not_bound(TextureStory *story, const char *noun) {
    const char *name = story->fault->reference->plain_name;
    story->finding.kind = FINDING_API_MISUSE;
    text_format(&story->message, " uses the %s reference %s, which is not bound to anything", noun, name);
    if (wants_surface(story))
        text_format(&story->why,
                    "Call cudaBindSurfaceToArray(%s, array) before the launch, and check what it returns.",
                    name);
    else
        text_format(
            &story->why,
            "Call cudaBindTexture, cudaBindTexture2D or cudaBindTextureToArray with %s before the launch, "
            "check what it returns, and unbind only after the kernel has finished.",
            name);
}

static void tell_no_handle(TextureStory *story) {
    const char *noun = wants_surface(story) ? "surface" : "texture";
    if (story->fault->reference) {
        tell_not_bound(story, noun);
        return;
    }
    story->finding.kind = FINDING_API_MISUSE;
    text_format(&story->message, " uses the %s object 0x%" PRIx64 ", which was never created", noun,
                story->fault->handle);
    text_format(&story->why,
                "A %s object is a number that cudaCreate%sObject gives. Create it before the launch, check "
                "what the call returns, and pass the object itself, not a pointer or the array.",
                noun, wants_surface(story) ? "Surface" : "Texture");
}

static void tell_destroyed(TextureStory *story) {
    const GpuTexture *texture = story->fault->texture;
    CheckPlace place = check_place_of_site(story->check, texture->destroy_site);
    story->finding.kind = FINDING_USE_AFTER_FREE;
    story->finding.other = (CheckParty){.place = place, .what = "destroyed"};
    text_format(&story->message, " uses a %s object that was destroyed before", object_noun(texture));
    if (place.line > 0) {
        text_add(&story->message, ", at ");
        words_line(&story->message, &place, &story->finding.party.place);
    }
    text_add(&story->why, "Destroy the object after the last kernel that uses it has finished.");
}

static void tell_freed(TextureStory *story) {
    const GpuTexture *texture = story->fault->texture;
    const GpuAllocation *nearest = gpu_memory_nearest(story->check->gpu, texture->address);
    story->finding.kind = FINDING_USE_AFTER_FREE;
    text_format(&story->message, " uses a %s object whose memory was freed before", object_noun(texture));
    if (nearest && nearest->freed) {
        CheckPlace place = check_place_of_site(story->check, nearest->free_site);
        story->finding.other = (CheckParty){.place = place, .what = "free"};
        if (place.line > 0) {
            text_add(&story->message, ", at ");
            words_line(&story->message, &place, &story->finding.party.place);
        }
    }
    text_add(&story->why,
             "The object only points to the array. Destroy the object first, then free the array, "
             "both after the last kernel that uses them.");
}

static void tell_wrong_kind(TextureStory *story) {
    const GpuTexture *texture = story->fault->texture;
    story->finding.kind = FINDING_API_MISUSE;
    text_format(&story->message, " uses a %s object where a %s object is needed", object_noun(texture),
                texture->surface ? "texture" : "surface");
    text_add(&story->why,
             "tex1D, tex2D and their kin read through objects from cudaCreateTextureObject; surf1Dread, "
             "surf2Dwrite and their kin work through objects from cudaCreateSurfaceObject.");
}

static void tell_not_linear(TextureStory *story) {
    story->finding.kind = FINDING_API_MISUSE;
    text_add(&story->message, " fetches by number from a texture over a CUDA array: the result is 0");
    text_add(&story->why,
             "tex1Dfetch is for textures of linear memory (cudaResourceTypeLinear). Read an array with "
             "tex1D(texture, i + 0.5f) or tex2D.");
}

static const char *shape_name(bool layered, bool cube) {
    if (cube) return layered ? "layers of cubes" : "a cube";
    return layered ? "layers" : "neither layers nor cubes";
}

static void tell_wrong_shape(TextureStory *story) {
    const GpuTexture *texture = story->fault->texture;
    const GpuPlace place = gpu_place(story->check->gpu, story->fault->pc);
    PtxGeometry geometry = place.instruction ? place.instruction->modifiers.geometry : PTX_GEOMETRY_NONE;
    story->finding.kind = FINDING_API_MISUSE;
    text_format(&story->message, " fetches as from %s, but the texture's array has %s: the result is 0",
                shape_name(ptx_geometry_layered(geometry), ptx_geometry_cube(geometry)),
                shape_name(texture->layered, texture->cube));
    text_add(&story->why,
             "tex1DLayered and tex2DLayered read arrays made with cudaArrayLayered, texCubemap those with "
             "cudaArrayCubemap, texCubemapLayered those with both, and tex1D, tex2D and tex3D all others.");
}

static void tell_layer(TextureStory *story) {
    const GpuTexture *texture = story->fault->texture;
    uint32_t layers = texture->depth / (texture->cube ? 6 : 1);
    story->finding.kind = FINDING_OUT_OF_BOUNDS;
    text_format(&story->message, " fetches from layer %d of a texture with ", story->fault->at[2]);
    text_number(&story->message, layers);
    text_add(&story->message, ": the nearest is read");
    text_format(&story->why,
                "Layers are numbered from 0 to %" PRIu32 "; the addressing modes do not apply to them. Guard "
                "the threads whose layer does not exist.",
                layers - 1);
}

static void tell_out_of_bounds(TextureStory *story) {
    const GpuTextureFault *fault = story->fault;
    const GpuTexture *texture = fault->texture;
    unsigned texel = texture_texel_bytes(texture);
    story->finding.kind = FINDING_OUT_OF_BOUNDS;
    text_format(&story->message, " %s the surface at x = %d byte%s", words_access(fault->access),
                fault->at[0], fault->at[0] == 1 ? "" : "s");
    if (texture->height > 1) text_format(&story->message, ", y = %d", fault->at[1]);
    if (texture->depth > 1)
        text_format(&story->message, ", %s = %d", texture->layered ? "layer" : "z", fault->at[2]);
    text_add(&story->message, ", but it has ");
    text_number(&story->message, texture->width);
    text_add(&story->message, " x ");
    words_count(&story->message, texel, "byte");
    if (texture->height > 1) {
        text_add(&story->message, " in each of ");
        words_count(&story->message, texture->height, "row");
    }
    if (texture->depth > 1) {
        text_add(&story->message, " and ");
        words_count(&story->message, texture->depth, texture->layered ? "layer" : "slice");
    }
    text_add(&story->why,
             "Surfaces are addressed in bytes along x (x * sizeof(element)) and in elements along y and "
             "z. Guard the threads that lie outside, or ask for cudaBoundaryModeClamp or "
             "cudaBoundaryModeZero.");
}

static void tell_misaligned(TextureStory *story) {
    const GpuTextureFault *fault = story->fault;
    story->finding.kind = FINDING_MISALIGNED;
    text_format(&story->message,
                " %s %u bytes of a surface at byte %d along x, which is not a multiple of %u",
                words_access(fault->access), fault->bytes, fault->at[0], fault->bytes);
    text_add(&story->why,
             "The x coordinate of a surface counts bytes: multiply the column by sizeof(element), as in "
             "surf2Dread(&v, surface, x * sizeof(float), y). (Textures count elements.)");
}

static void tell(TextureStory *story) {
    switch (story->fault->mistake) {
    case GPU_TEXTURE_NO_HANDLE:
        tell_no_handle(story);
        return;
    case GPU_TEXTURE_DESTROYED:
        tell_destroyed(story);
        return;
    case GPU_TEXTURE_FREED:
        tell_freed(story);
        return;
    case GPU_TEXTURE_NOT_LINEAR:
        tell_not_linear(story);
        return;
    case GPU_TEXTURE_WRONG_SHAPE:
        tell_wrong_shape(story);
        return;
    case GPU_TEXTURE_LAYER:
        tell_layer(story);
        return;
    case GPU_TEXTURE_WRONG_KIND:
        tell_wrong_kind(story);
        return;
    case GPU_TEXTURE_OUT_OF_BOUNDS:
        tell_out_of_bounds(story);
        return;
    case GPU_TEXTURE_MISALIGNED:
        tell_misaligned(story);
        return;
    }
    BUG("texture mistake %d", (int)story->fault->mistake);
}

void textures_on_fault(void *self, const GpuTextureFault *fault) {
    Check *check = self;
    uint64_t key = check_key(SEEN_TEXTURE + (uint64_t)fault->mistake, fault->pc, fault->handle);
    if (check_seen(check, key, check_lane_count(fault->lanes))) return;
    const GpuBlock *block = gpu_warp_block(fault->warp);
    uint32_t thread = 32 * gpu_warp_index(fault->warp) + check_first_lane(fault->lanes);
    TextureStory story = {.check = check, .fault = fault};
    story.finding = (CheckFinding){.severity = FINDING_ERROR, .count = check_lane_count(fault->lanes)};
    story.finding.party = check_party(check, block, thread, fault->pc, words_access_noun(fault->access));
    text_init(&story.message);
    text_init(&story.why);
    words_party(&story.message, &story.finding.party, gpu_block_launch(block));
    tell(&story);
    story.finding.message = story.message.bytes;
    story.finding.explanation = story.why.bytes;
    check_record(check, &story.finding, key);
    text_free(&story.message);
    text_free(&story.why);
}
