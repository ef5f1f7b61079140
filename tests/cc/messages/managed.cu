__managed__ int shared_by_both; // error: __managed__ variables need nvcc
