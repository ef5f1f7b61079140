# make install: everything in a folder of its own below PREFIX/lib, so that the headers and libraries of CUDA programs are found by warpcc alone
# and get in nobody's way; the commands, their manual pages, C headers and a pkg-config file where such things are looked for.

PREFIX ?= /usr/local
DESTDIR ?=
HOME_DIR := $(PREFIX)/lib/warpgrind
PKGCONFIG ?= lib/pkgconfig
VERSION ?= $(shell sed -n 's/^\#define WARPGRIND_VERSION "\(.*\)"$$/\1/p' base/version.h)
MAN_PAGES := $(patsubst man/%.in,$(BUILD)/man/%,$(wildcard man/*.1.in))

# The options are those that the program itself prints.
$(BUILD)/man/%.1: man/%.1.in man/options.awk $(BUILD)/bin/%
	@mkdir -p $(@D)
	$(BUILD)/bin/$* --help 2>&1 | awk -v page=$< -f man/options.awk > $@

.PHONY: install uninstall
install: all $(MAN_PAGES)
	install -d '$(DESTDIR)$(HOME_DIR)/bin' '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1' '$(DESTDIR)$(PREFIX)/include/warpgrind' '$(DESTDIR)$(PREFIX)/$(PKGCONFIG)'
	@# Every program and every library that the build has made, so that a new one is not forgotten here. The course's build folder has more programs.
	install '$(BUILD)'/bin/warpgrind* '$(BUILD)/bin/warpcc' '$(DESTDIR)$(HOME_DIR)/bin/'
	rm -rf '$(DESTDIR)$(HOME_DIR)/include'
	cp -R '$(BUILD)/include' '$(DESTDIR)$(HOME_DIR)/'
	rm -rf '$(DESTDIR)$(HOME_DIR)/include/precompiled'
	install -d '$(DESTDIR)$(HOME_DIR)/lib/ci' '$(DESTDIR)$(PREFIX)/share/warpgrind'
	install -m 644 '$(NOCUDA)' '$(DESTDIR)$(HOME_DIR)/lib/ci/'
	cp -R '$(TOOLKIT)' '$(DESTDIR)$(HOME_DIR)/'
	install -m 644 ci/cmake/Warpgrind.cmake ci/cmake/warpcc-toolchain.cmake ci/pytest/pytest_warpgrind.py ci/gitlab.yml '$(DESTDIR)$(PREFIX)/share/warpgrind/'
	cp -P '$(BUILD)'/lib/*.so* '$(BASE_LIB)' '$(DESTDIR)$(HOME_DIR)/lib/'
	cp -R '$(BUILD)/headers/base' '$(DESTDIR)$(PREFIX)/include/warpgrind/'
	ln -sf ../lib/warpgrind/bin/warpgrind ../lib/warpgrind/bin/warpcc '$(DESTDIR)$(PREFIX)/bin/'
	install -m 644 $(MAN_PAGES) '$(DESTDIR)$(PREFIX)/share/man/man1/'
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' warpgrind.pc.in > '$(DESTDIR)$(PREFIX)/$(PKGCONFIG)/warpgrind.pc'
	@# A speed-up, made where the headers stay; a package is installed elsewhere first, and its own script may call this.
	-[ -n '$(DESTDIR)' ] || '$(HOME_DIR)/bin/warpcc' --precompile

uninstall:
	rm -rf '$(DESTDIR)$(HOME_DIR)' '$(DESTDIR)$(PREFIX)/include/warpgrind' '$(DESTDIR)$(PREFIX)/share/warpgrind'
	rm -f '$(DESTDIR)$(PREFIX)/bin/warpgrind' '$(DESTDIR)$(PREFIX)/bin/warpcc' '$(DESTDIR)$(PREFIX)/$(PKGCONFIG)/warpgrind.pc' \
	    $(patsubst $(BUILD)/man/%,'$(DESTDIR)$(PREFIX)/share/man/man1/%',$(MAN_PAGES))
