/* Rows: a rod of three lengths, the time of a call with one turn, and what each further turn takes. */
#include "card.h"

void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns);

enum { TURNS = 51, RUNS = 11 };

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,first turn (us),each further turn (us)\n");
    for (int n : {10000, 1000000, 30000000}) {
        std::vector<float> rod(n, 1.0f), middle(TURNS), ends(2 * TURNS, 2.0f);
        const auto call = [&](int turns) {
            return card_microseconds([&] { heat_rod(rod.data(), middle.data(), ends.data(), n, turns); }, RUNS);
        };
        const double one = call(1), all = call(TURNS);
        printf("%s,%d,%.1f,%.1f\n", argc > 1 ? argv[1] : "solution", n, one, (all - one) / (TURNS - 1));
    }
}
