package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import java.util.List;

/** Factorizations, and solvers that use them. */
final class LinalgTable {
    private LinalgTable() {}

    static void addTo(OpRegistry registry) {
        addSymmetric(registry);
        addTriangles(registry);
        addLu(registry);
        addSystems(registry);
        OrthogonalTable.addTo(registry);
    }

    private static void addSymmetric(OpRegistry registry) {
        registry.many("linalg.ldl_factor", call -> {
            Linalg.LdlFactors result = ldl(call);
            result.info().close();
            return List.of(result.factors(), result.pivots());
        });
        registry.many("linalg.ldl_factor_ex", call -> {
            Linalg.LdlFactors result = ldl(call);
            if (call.named("check_errors").bool(false)) {
                throw call.named("check_errors").unsupported("False");
            }
            return List.of(result.factors(), result.pivots(), result.info());
        });
        registry.one("linalg.ldl_solve", call -> {
            call.named("hermitian");
            return Linalg.ldlSolve(
                    call.at(0, "LD").tensor(),
                    call.at(1, "pivots").tensor(),
                    call.at(2, "B").tensor());
        });
        registry.many("pca_lowrank", call -> {
            Tensor matrices = call.at(0, "A").tensor();
            int min = (int) Math.min(6, Math.min(matrices.size(-2), matrices.size(-1)));
            return lowRank(Linalg.pcaLowrank(
                    matrices,
                    call.at(1, "q").dim(min),
                    call.at(2, "center").bool(true),
                    call.at(3, "niter").dim(2)));
        });
    }

    /** Real matrices need no separate hermitian form. The third result reports errors. */
    private static Linalg.LdlFactors ldl(OpCall call) {
        call.named("hermitian");
        return Linalg.ldlFactorEx(call.self());
    }

    private static List<Tensor> lowRank(Linalg.LowRank result) {
        return List.of(result.u(), result.values(), result.v());
    }

    private static void addTriangles(OpRegistry registry) {
        registry.many("triangular_solve", LinalgTable::triangularSolve);
    }

    /** The first argument is the right side. Returns the solution and the matrices. */
    private static List<Tensor> triangularSolve(OpCall call) {
        Tensor matrices = call.at(1, "A").tensor();
        boolean upper = call.at(2, "upper").bool(true);
        boolean transpose = call.at(3, "transpose").bool(false);
        boolean unit = call.at(4, "unitriangular").bool(false);
        Tensor solved = Linalg.solveTriangular(
                transpose ? matrices.mT() : matrices, call.self(), upper != transpose, true, unit);
        return List.of(solved, matrices.clone());
    }

    private static void addLu(OpRegistry registry) {
        registry.many("linalg.lu_factor", call -> {
            Linalg.LuFactors factors = Linalg.luFactor(pivoted(call).self());
            return List.of(factors.lu(), factors.pivots());
        });
        registry.many(
                "linalg.lu_factor_ex",
                call -> withInfo(Linalg.luFactorEx(pivoted(call).self())));
        registry.many("linalg.lu", call -> three(Linalg.lu(pivoted(call).self())));
        registry.many("lu", LinalgTable::lu);
        registry.typed("lu_solve", "LU_data LU_pivots input");
    }

    /** Refuses an LU without pivots, as PyTorch's CPU backend does. */
    private static OpCall pivoted(OpCall call) {
        if (!call.at(1, "pivot").bool(true)) {
            throw call.at(1, "pivot").unsupported("true");
        }
        return call;
    }

    private static List<Tensor> lu(OpCall call) {
        Linalg.LuFactorsAndInfo factors = Linalg.luFactorEx(pivoted(call).self());
        return call.at(2, "get_infos").bool(false) ? withInfo(factors) : List.of(factors.lu(), factors.pivots());
    }

    private static List<Tensor> withInfo(Linalg.LuFactorsAndInfo factors) {
        return List.of(factors.lu(), factors.pivots(), factors.info());
    }

    private static List<Tensor> three(Linalg.Lu factors) {
        return List.of(factors.p(), factors.l(), factors.u());
    }

    private static void addSystems(OpRegistry registry) {
        registry.one("matrix_exp", call -> {
            BoundArgument input = call.at(0, "input");
            return input.isComplex() ? input.complex().matrixExp().viewAsReal() : Linalg.matrixExp(input.tensor());
        });
    }
}
