package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;

/** Ops that create tensors. */
final class CreationTable {
    private CreationTable() {}

    static void addTo(OpRegistry registry) {
        addConstants(registry);
        addLikes(registry);
        addRanges(registry);
    }

    private static void addConstants(OpRegistry registry) {
        registry.one("zeros", call -> call.machine().zeros(call.dtype(DType.FLOAT32), call.sizesFrom(0)));
        registry.one("ones", call -> call.machine().ones(call.dtype(DType.FLOAT32), call.sizesFrom(0)));
        registry.one("eye", call -> {
            long rows = call.at(0, "n").integer();
            return call.machine().eye(rows, call.at(1, "m").integer(rows), call.dtype(DType.FLOAT32));
        });
    }

    private static void addLikes(OpRegistry registry) {
        registry.typed("new_zeros", "input dtype size", "input size");
        registry.typed("new_ones", "input dtype size", "input size");
        registry.typed("new_full", "input fill_value dtype size", "input fill_value size");
    }

    private static void addRanges(OpRegistry registry) {
        registry.one("arange", CreationTable::arange);
        registry.one(
                "tril_indices",
                call -> call.machine()
                        .trilIndices(
                                call.at(0, "row").integer(),
                                call.at(1, "col").integer(),
                                call.at(2, "offset").integer(0))
                        .to(call.dtype(DType.INT64)));
        registry.one(
                "triu_indices",
                call -> call.machine()
                        .triuIndices(
                                call.at(0, "row").integer(),
                                call.at(1, "col").integer(),
                                call.at(2, "offset").integer(0))
                        .to(call.dtype(DType.INT64)));
        registry.one(
                "linspace",
                call -> call.machine().linspace(start(call), end(call), steps(call), call.dtype(DType.FLOAT32)));
        registry.one(
                "logspace",
                call -> call.machine()
                        .logspace(
                                start(call),
                                end(call),
                                steps(call),
                                call.at(3, "base").real(10),
                                call.dtype(DType.FLOAT32)));
    }

    /** Returns a number, or the value of a tensor without dimensions; waits for the latter. */
    private static double bound(BoundArgument boundArgument) {
        return boundArgument.isTensor() && boundArgument.tensor().dim() == 0
                ? boundArgument.tensor().to(DType.FLOAT64).itemDouble()
                : boundArgument.number().doubleValue();
    }

    private static double start(OpCall call) {
        return bound(call.at(0, "start"));
    }

    private static double end(OpCall call) {
        return bound(call.at(1, "end"));
    }

    private static long steps(OpCall call) {
        return call.at(2, "steps").integer();
    }

    /** Creates a range. A single number is its end. */
    private static Tensor arange(OpCall call) {
        Number first = call.at(0, "start").number();
        BoundArgument end = call.at(1, "end");
        Number step = call.at(2, "step").number(1);
        return end.isPresent()
                ? call.machine().arange(first, end.number(), step, arangeDType(call, first, end.number(), step))
                : call.machine().arange(0, first, step, arangeDType(call, 0, first, step));
    }

    private static DType arangeDType(OpCall call, Number... numbers) {
        boolean isReal = Arrays.stream(numbers).anyMatch(number -> number instanceof Double);
        return call.dtype(isReal ? DType.FLOAT32 : DType.INT64);
    }
}
