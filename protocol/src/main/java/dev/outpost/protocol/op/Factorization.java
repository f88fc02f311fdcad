package dev.outpost.protocol.op;

/**
 * Ops of linear algebra on matrices in the last two dimensions, repeated over the others: factorizations, and the ops that solve by
 * factors. They accept float32 and float64. Each element depends on elements that were computed before, so these ops are primitives.
 */
public sealed interface Factorization extends Op
        permits Cholesky, LuFactor, PivotOrder, TriangularSolve, Qr, Eigh, Eig, Svd, Ldl, LdlSolve {}
