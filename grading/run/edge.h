/* edge.h - the places where tests kill a grading: the rows of edges.def. */
#pragma once

/** A point of a grading at which tests kill it (edges.def). */
typedef enum Edge {
#define EDGE(name, word, after) EDGE_##name,
#include "grading/run/edges.def"
#undef EDGE
} Edge;

/** Does nothing, unless the environment asks for an end here. */
void edge_pass(Edge edge);
