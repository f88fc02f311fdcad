/** Factorizations of matrices on the host, and solvers that use the factors. Each matrix is processed by plain loops or by a library. */
package dev.outpost.runtime.engine.factorization;
