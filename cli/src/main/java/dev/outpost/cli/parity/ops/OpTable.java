package dev.outpost.cli.parity.ops;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The ops by PyTorch's names. */
final class OpTable {
    private final Map<String, ParityOp> rows = new HashMap<>();

    private OpTable() {}

    static OpTable ofAllFamilies() {
        OpTable table = new OpTable();
        PointwiseTable.addTo(table);
        CompareTable.addTo(table);
        ReductionTable.addTo(table);
        OrderTable.addTo(table);
        ShapeTable.addTo(table);
        IndexTable.addTo(table);
        CreationTable.addTo(table);
        ContractionTable.addTo(table);
        ActivationTable.addTo(table);
        LayerTable.addTo(table);
        WindowTable.addTo(table);
        LossTable.addTo(table);
        MaskedTable.addTo(table);
        LinalgTable.addTo(table);
        return table;
    }

    /** The ops that write into their first tensor; {@code zero_} above is the test suite's, which writes into a copy. */
    static OpTable ofWrites() {
        OpTable table = new OpTable();
        InPlaceTable.addTo(table);
        return table;
    }

    /** The op of that name, or null. */
    ParityOp find(String name) {
        return rows.get(name);
    }

    Stream<String> names() {
        return rows.keySet().stream();
    }

    /** A row with several results. */
    void many(String name, Function<Call, List<Tensor>> op) {
        if (rows.put(name, op::apply) != null) {
            throw new IllegalStateException("two rows are called " + name);
        }
    }

    /** A row with one result. */
    void one(String name, Function<Call, Tensor> op) {
        many(name, call -> List.of(op.apply(call)));
    }

    /** A row with elements and where they were. */
    void pair(String name, Function<Call, ValuesAndIndices> op) {
        many(name, call -> op.apply(call).tensors());
    }

    /** A row of one tensor and nothing else. */
    void unary(String name, UnaryOperator<Tensor> op) {
        one(name, call -> op.apply(call.self()));
    }

    /** A row of two tensors. */
    void binary(String name, BinaryOperator<Tensor> op) {
        one(name, call -> op.apply(call.self(), call.other()));
    }

    /** A row of a tensor, and another or a number. */
    void binary(String name, BinaryOperator<Tensor> op, BiFunction<Tensor, Number, Tensor> withNumber) {
        one(name, call -> {
            Tensor self = call.self();
            Given other = call.at(1, "other");
            return other.isNumber() ? withNumber.apply(self, other.number()) : op.apply(self, other.tensor());
        });
    }

    /** A row that a dimension has to be named for. */
    void alongDim(String name, BiFunction<Tensor, Integer, Tensor> op) {
        one(name, call -> op.apply(call.self(), call.at(1, "dim").dim()));
    }
}
