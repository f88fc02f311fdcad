package dev.outpost.vocabulary;

import dev.outpost.Tensor;
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

/** The ops by PyTorch's names. Each row has the op's signatures and a function that calls the typed method. */
final class OpRegistry {
    private static final String PACKAGE = "torch.";

    record Row(Signatures signatures, Function<OpCall, List<Tensor>> op) {}

    private final Map<String, Signatures> signatures = Signatures.readAll();
    private final Map<String, Row> rows = new TreeMap<>();

    /** Returns the op of a name or alias. */
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

    /** Adds a derived row for each op that has no row. */
    void addDerived() {
        signatures.keySet().stream()
                .filter(name -> !rows.containsKey(name))
                .forEach(name -> many(name, DerivedRow.of(signatures.get(name))));
    }

    /**
     * Adds a row of the op's typed methods whose parameters are some of a signature, in the order of the method.
     *
     * @param orders for each form, the names of the signature's parameters, separated by spaces
     */
    void typed(String name, String... orders) {
        many(name, DerivedRow.of(declared(name), orders));
    }

    private Signatures declared(String name) {
        Signatures declared = signatures.get(name);
        if (declared == null) {
            throw new IllegalStateException("signatures.txt has no line for " + name);
        }
        return declared;
    }

    /** Adds a row with several results. */
    void many(String name, Function<OpCall, List<Tensor>> op) {
        if (rows.put(name, new Row(declared(name), op)) != null) {
            throw new IllegalStateException("two rows are called " + name);
        }
    }

    /** Adds a row with one result. */
    void one(String name, Function<OpCall, Tensor> op) {
        many(name, call -> List.of(op.apply(call)));
    }

    /** Adds a row whose only operand is a tensor. */
    void unary(String name, UnaryOperator<Tensor> op) {
        one(name, call -> op.apply(call.self()));
    }

    /** Adds a row with two tensor operands. */
    void binary(String name, BinaryOperator<Tensor> op) {
        one(name, call -> op.apply(call.self(), call.other()));
    }

    /** Adds a row whose second operand is a tensor or a number. */
    void binary(String name, BinaryOperator<Tensor> op, BiFunction<Tensor, Number, Tensor> withNumber) {
        one(name, call -> {
            Tensor self = call.self();
            BoundArgument other = call.at(1, "other");
            return other.isNumber() ? withNumber.apply(self, other.number()) : op.apply(self, other.tensor());
        });
    }
}
