# The judge, and the targets for learners; warpschool/rules.mk links the program.

AUTOGRADER_LIB := $(BUILD)/lib/libautograder.a
AUTOGRADER_LIBS = $(JUDGES_LIB) $(AUTOGRADER_LIB) $(BASE_LIB) -ljson-c -lyaml -lseccomp -lnettle -lm
TEST_LIBS_autograder = $(AUTOGRADER_LIBS)

$(eval $(call texts,autograder,autograder,base/say.h))
AUTOGRADER_ROOMS := autograder $(patsubst %/,%,$(sort $(wildcard autograder/*/)))
$(AUTOGRADER_LIB): $(call objects,$(foreach room,$(AUTOGRADER_ROOMS),$(call sources,$(room))))

# How gcc calls gold, as a function of the shell: a check links without gcc and collect2, which take half as long as the linker itself. Where
# there is no gold, or it cannot link a file, warpcc does.
LINK_SCRIPT := $(BUILD)/lib/link.sh
ALL_TARGETS += $(LINK_SCRIPT)
$(LINK_SCRIPT): autograder/rules.mk $(realpath $(shell command -v gcc))
	@mkdir -p $(@D)
	{ echo 'link_quickly() { # program, what to link...'; echo '    program=$$1; shift; false'; \
	  env -u LIBRARY_PATH LC_ALL=C gcc '-###' -fuse-ld=gold -fno-use-linker-plugin -o PROGRAM OBJECT 2>&1 | \
	      sed -n '/\/collect2/{ s|^[^ ]* *[^ ]*/collect2"* |    /usr/bin/ld.gold |; s| "*-fuse-ld=gold"*||; s|PROGRAM|"$$program"|; s|OBJECT|"$$@"|; p; }'; \
	  echo '}'; } > $@

# ---- for learners: a verdict, whatever it is, ends the target quietly; only what keeps us from one fails it ----

.PHONY: exercise watch list hint picture debug vscode reset doctor check
define as_learner
	@$(WARPSCHOOL) $(1); status=$$?; [ $$status -le 1 ] || exit $$status
endef

# Who names a file to a target that looks at the one in work/ is not told of another one.
.PHONY: own-file
own-file:
	@[ -z '$(FILE)' ] || { echo "make: this looks at your own file in work/, and takes no FILE; for another: make check LESSON=$(or $(LESSON),07) FILE=$(FILE)" >&2; exit 2; }

# What the build says is not for learners, unless it fails.
.PHONY: quiet-all
quiet-all:
	@mkdir -p $(BUILD)
	@[ -e $(WARPSCHOOL) ] || echo "Building the toolkit, which happens once: a minute or two. $(BUILD)/build.log says how far it is."
	@$(MAKE) --no-print-directory all > $(BUILD)/build.log 2>&1 || \
	    { tail -n 20 $(BUILD)/build.log; echo "The toolkit could not be built; $(BUILD)/build.log has all that was said."; \
	      ! sh autograder/setup.sh --missing learn || echo "make setup installs them."; exit 1; }

exercise: own-file quiet-all
	$(call as_learner,exercise $(if $(DEVICE),--device=$(DEVICE)) $(LESSON))
watch: own-file quiet-all
	@$(WARPSCHOOL) watch $(LESSON)
hint: own-file quiet-all
	$(call as_learner,hint $(if $(SEEN),--seen) $(LESSON))
list: quiet-all
	$(call as_learner,list)
# What of the run it is to be of: LAUNCH=2 BLOCK=3 WARP=1 FROM=1201.
PICTURE_CHOICE = $(if $(LAUNCH),--launch=$(LAUNCH)) $(if $(BLOCK),--block=$(BLOCK)) $(if $(WARP),--warp=$(WARP)) $(if $(FROM),--from=$(FROM))
picture: own-file quiet-all
	$(call as_learner,picture $(PICTURE_CHOICE) $(LESSON))
debug: own-file quiet-all
	$(call as_learner,debug $(LESSON))
# The extension is packed where npm can bring what packs it; a release has it, too.
vscode: quiet-all
	@$(WARPSCHOOL) vscode
	@if BUILD='$(BUILD)' sh warpgrind/vscode/pack.sh $(BUILD)/warpgrind.vsix "$$($(WARPSCHOOL) version | sed 's/.* //')" 2> $(BUILD)/vsix.log; \
	then echo "And the extension, once: code --install-extension $(BUILD)/warpgrind.vsix"; \
	else echo "And the extension, once: warpgrind-*.vsix of a release ($$(tail -n 1 $(BUILD)/vsix.log))"; fi
reset: quiet-all
	$(call as_learner,reset $(LESSON))
check: quiet-all
	$(call as_learner,check $(if $(DEVICE),--device=$(DEVICE)) "$(LESSON)" "$(FILE)")
doctor: quiet-all
	$(call as_learner,doctor)
