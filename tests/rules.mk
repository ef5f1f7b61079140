# Tests. A file tests/<layer>/test_*.c is one cmocka program, linked with that layer's libraries and those below it.

TEST_LIBS_base := $(BUILD)/lib/libbase.a -ljson-c
TEST_LIBS_ptx := $(BUILD)/lib/libptx.a $(TEST_LIBS_base)
TEST_LIBS_gpu := $(BUILD)/lib/libgpu.a $(TEST_LIBS_ptx) -lm
TEST_LIBS_check := $(BUILD)/lib/libcheck.a $(TEST_LIBS_gpu)
UNIT_LAYERS := base ptx gpu check device autograder
UNIT_TESTS := $(foreach l,$(UNIT_LAYERS),$(patsubst tests/$(l)/%.c,$(BUILD)/tests/$(l)/%,$(sort $(wildcard tests/$(l)/test_*.c))))

.SECONDEXPANSION:
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $$(filter %.a %.o,$$(TEST_LIBS_$$(firstword $$(subst /, ,$$*))))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $< $(TEST_LIBS_$(firstword $(subst /, ,$*))) -lcmocka

.PHONY: unit
unit: $(UNIT_TESTS)
	@sh tests/run-unit.sh $(UNIT_TESTS)
