/** Factors of matrices and what is solved by them, on the host: matrix by matrix, by plain loops or by a library. */
package dev.outpost.runtime.engine.factorization;
