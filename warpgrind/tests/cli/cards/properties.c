/* properties.c - every member of cudaDeviceProp is the attribute that it stands for, in the layout of CUDA
 * 11, 12 or 13 (LAYOUT), and prints the attributes by name. Linked with the runtime library of that toolkit.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
#define CUDA_ATTRIBUTE(number, name, value) NUMBER_##name = number,
#include "cudart/attributes.def"
    NUMBER_None = -1
};

#define PROPERTY(type, name, attribute) type name;
#define PROPERTY_LIST(type, name, count, ...) type name[count];
#define PROPERTY_BLANK(type, name, count) type name[count];
#if LAYOUT == 13
#define PROPERTY_OLD(type, name, attribute)
#else
#define PROPERTY_OLD PROPERTY
#endif
typedef struct Properties {
#include "cudart/properties.def"
} Properties;
#undef PROPERTY
#undef PROPERTY_LIST
#undef PROPERTY_BLANK
#undef PROPERTY_OLD

int cudaGetDeviceProperties(void *properties, int device);
int cudaGetDeviceProperties_v2(void *properties, int device);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaRuntimeGetVersion(int *version);

static int wrong, looked_at;
static size_t layout_end;

static void compare(const char *name, size_t offset, long member, int attribute, int device) {
    int value = 0;
    if (offset >= layout_end) return;
    if (attribute != NUMBER_None && cudaDeviceGetAttribute(&value, attribute, device) != 0) wrong++;
    if (member != value) printf("%s is %ld, the attribute %d\n", name, member, value), wrong++;
    looked_at++;
}

static void check_device(int device) {
    Properties p;
    memset(&p, 0x5a, sizeof p);
#if LAYOUT == 12
    wrong += cudaGetDeviceProperties_v2(&p, device) != 0;
#else
    wrong += cudaGetDeviceProperties(&p, device) != 0;
#endif
    p.totalGlobalMem = 0;
#define AT(name, attribute, index, member)                                                                   \
    compare(#name, offsetof(Properties, name) + index, (long)member, NUMBER_##attribute, device);
#define PROPERTY(type, name, attribute) AT(name, attribute, 0, p.name)
#define LIST_2(name, a, b) AT(name, a, 0, p.name[0]) AT(name, b, 1, p.name[1])
#define LIST_3(name, a, b, c) LIST_2(name, a, b) AT(name, c, 2, p.name[2])
#define PROPERTY_LIST(type, name, count, ...) LIST_##count(name, __VA_ARGS__)
#define PROPERTY_BLANK(type, name, count)
#if LAYOUT == 13
#define PROPERTY_OLD(type, name, attribute)
#else
#define PROPERTY_OLD PROPERTY
#endif
#include "cudart/properties.def"
    if (device == 0) printf("name %s\n", p.name);
}

int main(void) {
    int version = 0;
    layout_end = LAYOUT == 11 ? offsetof(Properties, hostRegisterSupported) : sizeof(Properties);
    check_device(0);
    check_device(1);
    wrong += cudaRuntimeGetVersion(&version) != 0;
    printf("version %d\nlooked at %d\n", version, looked_at);
#define CUDA_ATTRIBUTE(number, name, ignored)                                                                \
    {                                                                                                        \
        int value = 0;                                                                                       \
        wrong += cudaDeviceGetAttribute(&value, number, 0) != 0;                                             \
        printf(#name " %d\n", value);                                                                        \
    }
#include "cudart/attributes.def"
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
