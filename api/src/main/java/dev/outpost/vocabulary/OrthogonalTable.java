package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.DType;
import java.util.List;
import java.util.stream.Stream;

/** Orthogonal factorizations, and functions of singular values. */
final class OrthogonalTable {
    private OrthogonalTable() {}

    static void addTo(OpRegistry registry) {
        addReflections(registry);
        addEigenvalues(registry);
        addSingularValues(registry);
        addInverses(registry);
        addNorms(registry);
    }

    private static void addReflections(OpRegistry registry) {
        registry.many(
                "qr", call -> both(Linalg.qr(call.self(), !call.at(1, "some").bool(true))));
    }

    private static List<Tensor> both(Linalg.Qr factors) {
        return List.of(factors.q(), factors.r());
    }

    private static void addEigenvalues(OpRegistry registry) {
        registry.many("linalg.eigh", call -> both(Linalg.eigh(call.self(), isUpper(call))));
        registry.one("linalg.eigvalsh", call -> Linalg.eigvalsh(call.self(), isUpper(call)));
        registry.many("symeig", call -> {
            if (!call.at(1, "eigenvectors").bool(false)) {
                throw call.at(1, "eigenvectors").unsupported("true");
            }
            return both(Linalg.eigh(call.self(), call.at(2, "upper").bool(true)));
        });
    }

    private static boolean isUpper(OpCall call) {
        return call.at(1, "UPLO").text("L").equals("U");
    }

    private static List<Tensor> both(Linalg.Eigh result) {
        return List.of(result.eigenvalues(), result.eigenvectors());
    }

    private static void addSingularValues(OpRegistry registry) {
        registry.many("svd", call -> {
            Linalg.Svd result = Linalg.svd(call.self(), !call.at(1, "some").bool(true));
            return List.of(result.u(), result.s(), result.vh().mT());
        });
        registry.one(
                "linalg.matrix_rank",
                call -> Linalg.matrixRank(
                        call.self(), tolerance(call, "atol"), tolerance(call, "rtol"), isHermitian(call)));
    }

    private static Tensor tolerance(OpCall call, String name) {
        BoundArgument boundArgument = call.named(name);
        return boundArgument.isNumber()
                ? call.machine().scalar(boundArgument.real(0)).to(call.self().dtype())
                : boundArgument.tensorOrNull();
    }

    private static boolean isHermitian(OpCall call) {
        return call.named("hermitian").bool(false);
    }

    private static void addInverses(OpRegistry registry) {
        registry.unary("pinverse", Linalg::pinv);
        registry.one("linalg.pinv", OrthogonalTable::pinv);
        registry.many("linalg.lstsq", OrthogonalTable::lstsq);
    }

    private static Tensor pinv(OpCall call) {
        return Linalg.pinv(call.self(), tolerance(call, "atol"), tolerance(call, "rtol"), isHermitian(call));
    }

    /** Returns the results that PyTorch's chosen driver computes, and empty tensors for the other results. */
    private static List<Tensor> lstsq(OpCall call) {
        if (call.at(2, "rcond").isPresent()) {
            throw call.at(2, "rcond").unsupported("none");
        }
        String driver = call.named("driver").text("gelsy");
        Linalg.LeastSquares result = Linalg.lstsq(call.self(), call.at(1, "B").tensor());
        Tensor none = call.machine().zeros(call.self().dtype(), 0);
        boolean hasResiduals = call.self().size(-2) > call.self().size(-1) && !driver.equals("gelsy");
        List<Tensor> answer = List.of(
                result.solution(),
                hasResiduals ? result.residuals() : none,
                driver.equals("gels") ? none.to(DType.INT64) : result.rank(),
                driver.equals("gelsd") || driver.equals("gelss") ? result.singularValues() : none);
        Stream.of(none, result.residuals(), result.rank(), result.singularValues())
                .filter(made -> !answer.contains(made))
                .forEach(Tensor::close);
        return answer;
    }

    // ---- norms

    private static void addNorms(OpRegistry registry) {
        registry.one("linalg.matrix_norm", call -> {
            int[] dims = call.at(2, "dim").isPresent() ? call.at(2, "dim").dimPair() : new int[] {-2, -1};
            return matrixNorm(call.self(), call.at(1, "ord"), dims, keepDim(call));
        });
        registry.one("linalg.norm", OrthogonalTable::norm);
    }

    private static boolean keepDim(OpCall call) {
        return call.at(3, "keepdim").bool(false);
    }

    private static Tensor norm(OpCall call) {
        BoundArgument order = call.at(1, "ord");
        int[] dims = call.at(2, "dim").dims();
        boolean isMatrix = order.isPresent()
                && (dims.length == 2 || dims.length == 0 && call.self().dim() == 2);
        if (isMatrix) {
            return matrixNorm(call.self(), order, dims.length == 2 ? dims : new int[] {-2, -1}, keepDim(call));
        }
        return call.self().vectorNorm(order.real(2), dims, keepDim(call));
    }

    static Tensor matrixNorm(Tensor tensor, BoundArgument order, int[] dims, boolean keepDim) {
        if (!order.isPresent() || order.isText() && order.text("").equals("fro")) {
            return tensor.vectorNorm(2, dims, keepDim);
        }
        if (order.isText() && order.text("").equals("nuc")) {
            return Linalg.nuclearNorm(tensor, dims[0], dims[1], keepDim);
        }
        return Linalg.matrixNorm(tensor, order.number().doubleValue(), dims[0], dims[1], keepDim);
    }
}
