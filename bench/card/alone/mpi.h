/* mpi.h - MPI with one rank, for programs that are measured without ranks on machines without MPI: the
 * functions that lesson 18 and its mutants use, and nothing else.
 */
#pragma once

#include <cstring>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Info;
enum {
    MPI_COMM_NULL = -1,
    MPI_COMM_WORLD = 0,
    MPI_COMM_TYPE_SHARED = 1,
    MPI_INFO_NULL = 0,
    MPI_FLOAT = sizeof(float)
};

inline int MPI_Comm_rank(MPI_Comm, int *rank) {
    *rank = 0;
    return 0;
}
inline int MPI_Comm_size(MPI_Comm, int *size) {
    *size = 1;
    return 0;
}
inline int MPI_Comm_split_type(MPI_Comm comm, int, int, MPI_Info, MPI_Comm *machine) {
    *machine = comm;
    return 0;
}
inline int MPI_Comm_free(MPI_Comm *comm) {
    *comm = MPI_COMM_NULL;
    return 0;
}
inline int MPI_Scatterv(const void *from, const int *counts, const int *firsts, MPI_Datatype type, void *to,
                        int, MPI_Datatype, int, MPI_Comm) {
    memcpy(to, (const char *)from + (size_t)firsts[0] * type, (size_t)counts[0] * type);
    return 0;
}
inline int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int *,
                       const int *firsts, MPI_Datatype, int, MPI_Comm) {
    memcpy((char *)to + (size_t)firsts[0] * type, from, (size_t)count * type);
    return 0;
}
inline int MPI_Scatter(const void *from, int count, MPI_Datatype type, void *to, int, MPI_Datatype, int,
                       MPI_Comm) {
    memcpy(to, from, (size_t)count * type);
    return 0;
}
inline int MPI_Barrier(MPI_Comm) {
    return 0;
}
