# The course in a browser: the desk is a library of warpschool, the process that speaks HTTP a program of its own, which has nothing of the judge
# in it. Where there is no libmicrohttpd, that program is not built, and `warpschool serve` says how to get it (make setup-serve).

SERVE_LIB := $(BUILD)/lib/libserve.a
SERVE_HTTP := $(BUILD)/bin/warpschool-http
HAVE_HTTP := $(firstword $(wildcard /usr/include/microhttpd.h /usr/local/include/microhttpd.h))
TEST_LIBS_serve = $(SERVE_CLASS_LIB) $(SERVE_LIB) $(BUILD)/lib/libserve_web.a $(AUTOGRADER_LIBS) -lmicrohttpd

$(eval $(call texts,serve,serve,base/say.h))
$(SERVE_LIB): $(call objects,$(call sources,serve) $(call sources,serve/desk))
# A class needs rosters, rules and a database: the repository of students is without them.
ifneq ($(wildcard grading/commands.h),)
SERVE_CLASS_LIB := $(BUILD)/lib/libserve_class.a
$(SERVE_CLASS_LIB): $(call objects,$(call sources,serve/class))
endif
SERVE_WEB := $(filter-out serve/web/main.c,$(call sources,serve/web))
$(BUILD)/lib/libserve_web.a: $(call objects,$(call sources,serve) $(SERVE_WEB))

.SECONDEXPANSION:
$(SERVE_HTTP): $(call objects,serve/web/main.c) $(BUILD)/lib/libserve_web.a $$(BASE_LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(BUILD)/lib/libserve_web.a $(BASE_LIB) -lmicrohttpd -lseccomp -ljson-c -lm
ALL_TARGETS += $(if $(HAVE_HTTP),$(SERVE_HTTP))

# Learning platforms (LTI): a program of its own, where there are libcurl and OpenSSL; without it, a class is served all the same.
SERVE_LTI := $(BUILD)/bin/warpschool-lti
HAVE_LTI := $(and $(firstword $(wildcard /usr/include/curl/curl.h /usr/include/*/curl/curl.h)),$(wildcard /usr/include/openssl/evp.h),$(wildcard grading/commands.h))
SERVE_LTI_SOURCES := $(filter-out serve/lti/main.c,$(call sources,serve/lti))
$(BUILD)/lib/libserve_lti.a: $(call objects,$(call sources,serve) $(SERVE_LTI_SOURCES))
$(SERVE_LTI): $(call objects,serve/lti/main.c) $(BUILD)/lib/libserve_lti.a $$(BASE_LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(BUILD)/lib/libserve_lti.a $(BASE_LIB) -lcurl -lcrypto -ljson-c -lnettle -lm
ALL_TARGETS += $(if $(HAVE_LTI),$(SERVE_LTI))

# What pages get from us: a script and a style, and the editor where npm has brought its packages (make setup-serve).
SERVE_ASSETS := $(addprefix $(BUILD)/serve/,exercise.js exercise.css style.css)
ALL_TARGETS += $(SERVE_ASSETS)
ifneq ($(wildcard serve/page/bundle.js),)
ALL_TARGETS += $(BUILD)/serve/editor.js
$(BUILD)/serve/editor.js: serve/page/bundle.js
	@mkdir -p $(@D)
	cp $< $@
endif
$(BUILD)/serve/style.css: docs/build/style.css
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/serve/%: serve/page/%
	@mkdir -p $(@D)
	cp $< $@

# ---- for learners: PORT is where to listen ----

.PHONY: serve serve-pages
serve: quiet-all serve-pages
	@$(WARPSCHOOL) serve $(if $(PORT),--port "$(PORT)")

# The pages of make notes, once. Whoever cannot build them has the text of the lessons all the same.
serve-pages: quiet-all
	@[ -e $(SITE)/index.html ] || ! command -v pandoc >/dev/null || { \
	    echo "Building the course's pages, which happens once: some minutes. $(BUILD)/notes.log says how far it is."; \
	    $(MAKE) --no-print-directory notes-pages > $(BUILD)/notes.log 2>&1 || echo "The pages could not be built; see $(BUILD)/notes.log"; }
	@BUILD=$(BUILD) sh serve/page/editor/install.sh > $(BUILD)/editor.log 2>&1 || true
