# make bench: warpgrind's (warpgrind/bench), then what the course adds: from edit to verdict, and how fast a class is graded. Never part of make test.

.PHONY: bench
bench: all
	@$(in_engine) bench
	@sh bench/edit_to_verdict.sh $(BUILD)
	@bash bench/grading.sh $(BUILD)

# The tables "On the GPU" of the lesson pages, measured on this machine's card.
.PHONY: bench-card
bench-card:
	@mkdir -p $(BUILD)/bench/card
	@bash bench/card/run.sh $(BUILD)/bench/card
	@for table in $(BUILD)/bench/card/*.csv; do cp $$table lessons/$$(basename $$table .csv)/gpu.csv; done

# A learner's own file in the same table, beside the solution.
.PHONY: time
time: quiet-all
	@BUILD='$(BUILD)' bash bench/card/time.sh "$(LESSON)" $(FILE)

# What NVIDIA's own tools say of it, beside warpgrind's counters of the same program.
.PHONY: profile
profile: quiet-all
	@BUILD='$(BUILD)' CASE='$(CASE)' bash bench/card/profile.sh "$(LESSON)" $(FILE)

# A class in browsers under load, and what a check by the server costs beside one at the terminal; needs wrk.
.PHONY: bench-serve
bench-serve: all
	@bash bench/serve/run.sh $(BUILD)
