package dev.outpost.vocabulary;

import dev.outpost.Tensor;

/** Comparisons, tests, logic, bits. */
final class CompareTable {
    private CompareTable() {}

    static void addTo(OpRegistry table) {
        addComparisons(table);
        addTests(table);
        addLogic(table);
    }

    private static void addComparisons(OpRegistry table) {
        table.binary("eq", Tensor::eq, Tensor::eq);
        table.binary("ne", Tensor::ne, Tensor::ne);
        table.binary("lt", Tensor::lt, Tensor::lt);
        table.binary("le", Tensor::le, Tensor::le);
        table.binary("gt", Tensor::gt, Tensor::gt);
        table.binary("ge", Tensor::ge, Tensor::ge);
        table.one("isclose", call -> call.self().isclose(call.other(), rtol(call), atol(call), equalNan(call)));
        table.one(
                "allclose",
                call -> call.machine()
                        .scalar(call.self().allclose(call.other(), rtol(call), atol(call), equalNan(call))));
        table.one("equal", call -> call.machine().scalar(call.self().equal(call.other())));
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

    private static void addTests(OpRegistry table) {
        table.unary("isnan", Tensor::isnan);
        table.unary("isinf", Tensor::isinf);
        table.unary("isfinite", Tensor::isfinite);
        table.unary("isposinf", Tensor::isposinf);
        table.unary("isneginf", Tensor::isneginf);
        table.unary("isreal", Tensor::isreal);
        table.unary("signbit", Tensor::signbit);
    }

    private static void addLogic(OpRegistry table) {
        table.binary("logical_and", Tensor::logicalAnd);
        table.binary("logical_or", Tensor::logicalOr);
        table.binary("logical_xor", Tensor::logicalXor);
        table.unary("logical_not", Tensor::logicalNot);
        table.binary("bitwise_and", Tensor::bitwiseAnd, Tensor::bitwiseAnd);
        table.binary("bitwise_or", Tensor::bitwiseOr, Tensor::bitwiseOr);
        table.binary("bitwise_xor", Tensor::bitwiseXor, Tensor::bitwiseXor);
        table.unary("bitwise_not", Tensor::bitwiseNot);
        table.binary("bitwise_left_shift", Tensor::leftShift, Tensor::leftShift);
        table.binary("bitwise_right_shift", Tensor::rightShift, Tensor::rightShift);
    }
}
