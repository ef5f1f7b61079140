// kind: compile-error
// says: does not define `vector_add`

void vector_sum(float *) {}
