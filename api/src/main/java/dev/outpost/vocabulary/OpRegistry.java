package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.OpException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The ops by PyTorch's names: for each its signatures, and which typed method answers. */
final class OpRegistry {
    private static final String PACKAGE = "torch.";

    /** An op. */
    record Row(Signatures signatures, Function<OpCall, List<Tensor>> op) {}

    private final Map<String, Signatures> signatures = Signatures.readAll();
    private final Map<String, Row> rows = new TreeMap<>();

    /** The op of that name or alias. */
    Row row(String name) {
        Row row = find(name);
        if (row == null) {
            throw new OpException(name, "there is no op of this name");
        }
        return row;
    }

    boolean knows(String name) {
        return find(name) != null;
    }

    private @Nullable Row find(String name) {
        String local = name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
        Row row = rows.get(local);
        return row == null ? rows.get(Aliases.resolve(local)) : row;
    }

    Set<String> names() {
        return Collections.unmodifiableSet(rows.keySet());
    }

    /** Rows of the ops that have none: they follow from their signatures. */
    void addDerived() {
        signatures.keySet().stream()
                .filter(name -> !rows.containsKey(name))
                .forEach(name -> one(name, DerivedRow.of(signatures.get(name))));
    }

    /** A row with several results. */
    void many(String name, Function<OpCall, List<Tensor>> op) {
        Signatures declared = signatures.get(name);
        if (declared == null) {
            throw new IllegalStateException("signatures.txt has no line for " + name);
        }
        if (rows.put(name, new Row(declared, op)) != null) {
            throw new IllegalStateException("two rows are called " + name);
        }
    }

    /** A row with one result. */
    void one(String name, Function<OpCall, Tensor> op) {
        many(name, call -> List.of(op.apply(call)));
    }

    /** A row with elements and where they were. */
    void pair(String name, Function<OpCall, ValuesAndIndices> op) {
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
            BoundArgument other = call.at(1, "other");
            return other.isNumber() ? withNumber.apply(self, other.number()) : op.apply(self, other.tensor());
        });
    }

    /** A row that a dimension has to be named for. */
    void alongDim(String name, BiFunction<Tensor, Integer, Tensor> op) {
        one(name, call -> op.apply(call.self(), call.at(1, "dim").dim()));
    }
}
