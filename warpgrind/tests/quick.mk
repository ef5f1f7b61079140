# What `make test` takes of suites that have a target of their own for the whole. The course's makefile includes this, too.

# Of the programs that --threads must not change, these take seconds; make test-threads takes all.
export THREADS_QUICK := divide same histogram matrix-multiply-tiles transpose last-block-reduction scan M73-plain-add M45-missing-barrier-in-loop M09-wrong-index-formula
# A handful that nvcc compiles in make test, where it is installed; make test-nvcc has them all.
export NVCC_SOURCES := vector_add groups language
export NVCC_MISTAKES := M01-no-guard V91-lanes-leave-an-unrolled-loop X90-read-early-by-the-optimiser X91-read-early-and-wanted X92-ended-before-the-barrier M45-missing-barrier-in-loop M53-tail-skips-store V35-padding-is-copied X13-assertion X41-tile-does-not-meet

# What make test runs on a warpgrind that compares fast ways with slow ones; make test-both takes every sample and mistake.
export BOTH_QUICK := matrix-multiply-tiles histogram bitonic-sort transpose jacobi-tiles M45-missing-barrier-in-loop M53-tail-skips-store
