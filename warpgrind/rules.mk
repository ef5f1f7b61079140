# The software GPU: libraries by folder, in the order of their layers, then the programs.

JSON_LIBS := -ljson-c
PTX_LIB := $(BUILD)/lib/libptx.a
GPU_LIB := $(BUILD)/lib/libgpu.a
CHECK_LIB := $(BUILD)/lib/libcheck.a

# base: what programs of ours share, the course's too, which finds its headers in $(BUILD)/headers. Once more and never with a sanitizer's
# run-time, for what lives in the process of a program that is watched.
BASE_HEADERS := $(patsubst base/%,$(BUILD)/headers/base/%,$(wildcard base/*.h base/*.def))
PLAIN_BASE_LIB := $(BUILD)/lib/libbase-plain.a
ALL_TARGETS += $(BASE_HEADERS) $(BASE_LIB) $(PLAIN_BASE_LIB)

$(BASE_LIB): $(call objects,$(call sources,base))
$(PLAIN_BASE_LIB): $(patsubst %.c,$(OBJ)/plain/%.o,$(addprefix base/,arena.c diag.c npy.c text.c))
$(OBJ)/plain/%.o: %.c
	$(call compile,$(PLAIN_FLAGS))
$(BUILD)/headers/%: %
	@mkdir -p $(@D)
	cp $< $@

# The picture's page as lines of C; a line @NAME.js@ of it gives way to that part of its script.
$(BUILD)/gen/picture_page.inc: base/picture.html $(wildcard base/picture_*.js)
	@mkdir -p $(@D)
	awk '/^@[a-z_]+[.]js@$$/ { part = "base/" substr($$0, 2, length($$0) - 2); while ((getline line < part) > 0) print line; next } { print }' $< | \
	    sed 's/\\/&&/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' > $@
$(OBJ)/base/picture.o: $(BUILD)/gen/picture_page.inc

$(PTX_LIB): $(call objects,$(call sources,ptx))
include gpu/rules.mk check/rules.mk cudart/rules.mk device/rules.mk ci/rules.mk debug/rules.mk warpcc/rules.mk curand/rules.mk cublas/rules.mk
