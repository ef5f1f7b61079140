# make knows no file whose name has a space in it or one of its own signs, and this tree names files by where they lie. Included first, by both makefiles.
PLACE_HASH := \#
ifneq ($(words x$(CURDIR)x)$(strip $(foreach sign,$(PLACE_HASH) : % ; $$ ' " ( ),$(findstring $(sign),$(CURDIR)))),1)
$(error this folder cannot be built in, because its path has a space in it, or one of the signs $(PLACE_HASH) : % ; $$ ' " ( ). Put it elsewhere: $(CURDIR))
endif
