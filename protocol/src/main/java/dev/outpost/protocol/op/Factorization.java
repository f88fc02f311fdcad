package dev.outpost.protocol.op;

/**
 * Ops of linear algebra on the last two dimensions, matrix by matrix over the others: factors, and what is solved by them.
 * Float32 and float64. Each element depends on those computed before it, so none can be composed.
 */
public sealed interface Factorization extends Op
        permits Cholesky, LuFactor, PivotOrder, TriangularSolve, Qr, Eigh, Eig, Svd, Ldl, LdlSolve {}
