# The checks, in rooms. CHECK_LEVEL_SOURCES are compiled once for every processor level, as the machine's are (gpu/rules.mk).

CHECK_ROOMS := $(patsubst %/,%,$(sort $(wildcard check/*/)))
CHECK_LEVEL_SOURCES := $(addprefix check/,races/flat_lanes.c shadow/cells_lanes.c)
# As the machine's own files: observers count bits all the time.
CHECK_HOT_ROOMS := $(addprefix check/,counts initialisation races shadow)
$(foreach room,$(CHECK_ROOMS),$(eval CFLAGS_$(room) := $(CFLAGS_gpu) $(if $(filter $(room),$(CHECK_HOT_ROOMS)),$(HOT_OPT))))
CHECK_LEVEL_OBJECTS := $(foreach l,$(GPU_LEVELS),$(patsubst %.c,$(OBJ)/%.$(l).o,$(CHECK_LEVEL_SOURCES)))
$(eval $(call texts,check,check,check/findings/words.h))

$(CHECK_LIB): $(call objects,$(filter-out $(CHECK_LEVEL_SOURCES),$(foreach room,$(CHECK_ROOMS),$(call sources,$(room))))) $(CHECK_LEVEL_OBJECTS)
