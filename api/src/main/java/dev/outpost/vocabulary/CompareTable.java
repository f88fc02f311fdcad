package dev.outpost.vocabulary;

import dev.outpost.Tensor;

/** Comparisons, tests, logic, bits. */
final class CompareTable {
    private CompareTable() {}

    static void addTo(OpRegistry registry) {
        addComparisons(registry);
        addTests(registry);
        addLogic(registry);
    }

    private static void addComparisons(OpRegistry registry) {
        registry.binary("eq", Tensor::eq, Tensor::eq);
        registry.binary("ne", Tensor::ne, Tensor::ne);
        registry.binary("lt", Tensor::lt, Tensor::lt);
        registry.binary("le", Tensor::le, Tensor::le);
        registry.binary("gt", Tensor::gt, Tensor::gt);
        registry.binary("ge", Tensor::ge, Tensor::ge);
        registry.one("isclose", call -> call.self().isclose(call.other(), rtol(call), atol(call), equalNan(call)));
        registry.one(
                "allclose",
                call -> call.machine()
                        .scalar(call.self().allclose(call.other(), rtol(call), atol(call), equalNan(call))));
        registry.one("equal", call -> call.machine().scalar(call.self().equal(call.other())));
    }

    private static double rtol(OpCall call) {
        return call.at(2, "rtol").real(1e-5);
    }

    private static double atol(OpCall call) {
        return call.at(3, "atol").real(1e-8);
    }

    private static boolean equalNan(OpCall call) {
        return call.at(4, "equal_nan").bool(false);
    }

    private static void addTests(OpRegistry registry) {
        registry.unary("isnan", Tensor::isnan);
        registry.unary("isinf", Tensor::isinf);
        registry.unary("isfinite", Tensor::isfinite);
        registry.unary("isposinf", Tensor::isposinf);
        registry.unary("isneginf", Tensor::isneginf);
        registry.unary("isreal", Tensor::isreal);
        registry.unary("signbit", Tensor::signbit);
    }

    private static void addLogic(OpRegistry registry) {
        registry.binary("logical_and", Tensor::logicalAnd);
        registry.binary("logical_or", Tensor::logicalOr);
        registry.binary("logical_xor", Tensor::logicalXor);
        registry.unary("logical_not", Tensor::logicalNot);
        registry.binary("bitwise_and", Tensor::bitwiseAnd, Tensor::bitwiseAnd);
        registry.binary("bitwise_or", Tensor::bitwiseOr, Tensor::bitwiseOr);
        registry.binary("bitwise_xor", Tensor::bitwiseXor, Tensor::bitwiseXor);
        registry.unary("bitwise_not", Tensor::bitwiseNot);
        registry.binary("bitwise_left_shift", Tensor::leftShift, Tensor::leftShift);
        registry.binary("bitwise_right_shift", Tensor::rightShift, Tensor::rightShift);
    }
}
