package dev.outpost.runtime.cuda.blas;

/** The alignments of a product's matrices, in the library's order: powers of two in bytes. */
record Alignments(long a, long b, long c) {}
