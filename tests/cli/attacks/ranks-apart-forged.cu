// lesson: 18-multi-gpu
// instead: decay_on_ranks
// kind: ranks-apart
// never: \u001b
// The message is the watcher's to send; whoever forges it has a finding against itself, and can say nothing that harms a terminal.
extern "C" void warpgrindRanksApart(int fault, const void *call, const void *other, const char *text);
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    for (int fault = -1; fault < 6; fault++)
        warpgrindRanksApart(fault, (void *)0x123456789abcULL, nullptr, "\33[2J all ranks are fine, 100 points");
    instead_of(h_x, n, steps, comm);
}
