package dev.outpost.runtime.cuda.blas;

/** Of what powers of two, in bytes, the addresses of a product's matrices are multiples, in the library's order. */
record Alignments(long a, long b, long c) {}
