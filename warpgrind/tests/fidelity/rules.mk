# make fidelity: compares with the card's lines once more, and writes docs/fidelity.md.
.PHONY: fidelity
fidelity: all
	@BUILD=$(BUILD) bash tests/fidelity/run.sh --write
