# make install: the judge with all it needs in PREFIX/lib/warpschool, laid out as a tree with its build folder, and the command in PREFIX/bin.
# Solutions, hidden cases and what only builds are not in it. `warpschool start FOLDER` makes a learner's folder.

PREFIX ?= /usr/local
DESTDIR ?=
COURSE_HOME := $(PREFIX)/lib/warpschool
COURSE_PAGES := $(PREFIX)/share/doc/warpschool-doc/html
COURSE_MAN := $(BUILD)/man/warpschool.1

# The commands are those that the program itself prints.
$(COURSE_MAN): warpschool/man/warpschool.1.in warpgrind/man/options.awk $(WARPSCHOOL)
	@mkdir -p $(@D)
	$(WARPSCHOOL) --help | awk -v KIND=commands -v page=$< -f warpgrind/man/options.awk > $@

.PHONY: install install-notes uninstall
install: all $(COURSE_MAN)
	install -d '$(DESTDIR)$(COURSE_HOME)/build/bin' '$(DESTDIR)$(COURSE_HOME)/build/lib' '$(DESTDIR)$(COURSE_HOME)/autograder' \
	    '$(DESTDIR)$(COURSE_HOME)/warpschool' '$(DESTDIR)$(COURSE_HOME)/starter' '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 644 $(COURSE_MAN) '$(DESTDIR)$(PREFIX)/share/man/man1/'
	@# Every program and every library that the build has made, so that a new one is not forgotten here.
	install $(BUILD)/bin/warp* '$(DESTDIR)$(COURSE_HOME)/build/bin/'
	cp -P $(BUILD)/lib/*.so* $(BUILD)/lib/libdriver.a $(LINK_SCRIPT) '$(DESTDIR)$(COURSE_HOME)/build/lib/'
	cp -R $(BUILD)/lib/ci '$(DESTDIR)$(COURSE_HOME)/build/lib/'
	install -d '$(DESTDIR)$(COURSE_HOME)/build/serve'
	install -m 644 $(wildcard $(BUILD)/serve/*) '$(DESTDIR)$(COURSE_HOME)/build/serve/'
	rm -rf '$(DESTDIR)$(COURSE_HOME)/build/include' '$(DESTDIR)$(COURSE_HOME)/lessons'
	cp -R $(BUILD)/include '$(DESTDIR)$(COURSE_HOME)/build/'
	rm -rf '$(DESTDIR)$(COURSE_HOME)/build/include/precompiled'
	@for lesson in $(LESSON_NAMES); do \
	    install -d "$(DESTDIR)$(COURSE_HOME)/build/lessons/$$lesson" "$(DESTDIR)$(COURSE_HOME)/lessons/$$lesson" && \
	    install -m 644 $(BUILD)/lessons/$$lesson/driver.* "$(DESTDIR)$(COURSE_HOME)/build/lessons/$$lesson/" && \
	    install -m 644 lessons/$$lesson/lesson.yaml lessons/$$lesson/lesson.md "$(DESTDIR)$(COURSE_HOME)/lessons/$$lesson/" || exit 1; \
	done
	install -m 644 lessons/groups.txt '$(DESTDIR)$(COURSE_HOME)/lessons/'
	install -m 644 starter/*.cu '$(DESTDIR)$(COURSE_HOME)/starter/'
	install -m 644 autograder/packages.txt autograder/packages-elsewhere.txt '$(DESTDIR)$(COURSE_HOME)/autograder/'
	cp -R warpschool/student '$(DESTDIR)$(COURSE_HOME)/warpschool/'
	ln -sf ../lib/warpschool/build/bin/warpschool '$(DESTDIR)$(PREFIX)/bin/'
	@# A speed-up, made where the headers stay; a package's own script may call this.
	-[ -n '$(DESTDIR)' ] || '$(COURSE_HOME)/build/bin/warpcc' --precompile

# The course's pages.
install-notes: notes
	rm -rf '$(DESTDIR)$(COURSE_PAGES)'
	install -d '$(DESTDIR)$(COURSE_PAGES)'
	cp -R $(SITE)/. '$(DESTDIR)$(COURSE_PAGES)/'

uninstall:
	rm -rf '$(DESTDIR)$(COURSE_HOME)' '$(DESTDIR)$(COURSE_PAGES)'
	rm -f '$(DESTDIR)$(PREFIX)/bin/warpschool' '$(DESTDIR)$(PREFIX)/share/man/man1/warpschool.1'
