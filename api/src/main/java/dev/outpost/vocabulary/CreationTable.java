package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;

/** Tensors out of nothing. */
final class CreationTable {
    private CreationTable() {}

    static void addTo(OpRegistry table) {
        table.one(
                "multinomial",
                call -> call.self()
                        .multinomial(
                                call.at(1, "num_samples").integer(),
                                call.at(2, "replacement").bool(false)));
        table.unary("poisson", Tensor::poisson);
        addConstants(table);
        addLikes(table);
        addRanges(table);
    }

    private static void addConstants(OpRegistry table) {
        table.one("zeros", call -> call.machine().zeros(call.dtype(DType.FLOAT32), SizeList.of(call, 0)));
        table.one("ones", call -> call.machine().ones(call.dtype(DType.FLOAT32), SizeList.of(call, 0)));
        table.one("eye", call -> {
            long rows = call.at(0, "n").integer();
            return call.machine().eye(rows, call.at(1, "m").integer(rows), call.dtype(DType.FLOAT32));
        });
    }

    private static void addLikes(OpRegistry table) {
        table.one("zeros_like", call -> call.self().zerosLike(ownDType(call)));
        table.one("ones_like", call -> call.self().onesLike(ownDType(call)));
        table.one(
                "full_like",
                call -> call.self().fullLike(call.at(1, "fill_value").number(), ownDType(call)));
        table.one("new_zeros", call -> call.self().newZeros(ownDType(call), SizeList.of(call, 1)));
        table.one("new_ones", call -> call.self().newOnes(ownDType(call), SizeList.of(call, 1)));
        table.one(
                "new_full",
                call -> call.self()
                        .newFull(
                                call.at(2, "fill_value").number(),
                                ownDType(call),
                                call.at(1, "size").sizes()));
    }

    private static DType ownDType(OpCall call) {
        return call.dtype(call.self().dtype());
    }

    private static void addRanges(OpRegistry table) {
        table.one("arange", CreationTable::arange);
        table.one(
                "tril_indices",
                call -> call.machine()
                        .trilIndices(
                                call.at(0, "row").integer(),
                                call.at(1, "col").integer(),
                                call.at(2, "offset").integer(0))
                        .to(call.dtype(DType.INT64)));
        table.one(
                "triu_indices",
                call -> call.machine()
                        .triuIndices(
                                call.at(0, "row").integer(),
                                call.at(1, "col").integer(),
                                call.at(2, "offset").integer(0))
                        .to(call.dtype(DType.INT64)));
        table.one(
                "linspace",
                call -> call.machine().linspace(start(call), end(call), steps(call), call.dtype(DType.FLOAT32)));
        table.one(
                "logspace",
                call -> call.machine()
                        .logspace(
                                start(call),
                                end(call),
                                steps(call),
                                call.at(3, "base").real(10),
                                call.dtype(DType.FLOAT32)));
    }

    /** A number, or a tensor of no dimensions, whose value this waits for. */
    private static double bound(BoundArgument given) {
        return given.isTensor() && given.tensor().dim() == 0
                ? given.tensor().to(DType.FLOAT64).itemDouble()
                : given.number().doubleValue();
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

    /** One number alone is the end. */
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
