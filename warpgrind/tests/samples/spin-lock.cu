/* A lock taken with compare-and-swap, with the fences that make what it protects visible. */
#include "sample.h"

struct Account {
    int locked;
    int balance, moves;
};

__global__ void deposit(Account *account, int rounds) {
    for (int round = 0; round < rounds; round++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&account->locked, 0, 1) == 0) {
                __threadfence();
                account->balance += (int)threadIdx.x;
                account->moves += 1;
                __threadfence();
                atomicExch(&account->locked, 0);
                done = true;
            }
        }
    }
}

int main() {
    std::vector<Account> account(1, Account{0, 0, 0});
    Account *d_account = to_device(account);
    deposit<<<3, 40>>>(d_account, 2);
    CHECK(cudaGetLastError());
    account = to_host(d_account, 1);
    CHECK(cudaFree(d_account));
    return verdict<int>({account[0].balance, account[0].moves}, {3 * 2 * (39 * 40 / 2), 240});
}
