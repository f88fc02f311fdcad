package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Collects operations on places into a {@link Chain}. A value that a place holds before the first write is loaded. The final value of a
 * place is stored if it is needed afterwards.
 *
 * @param <P> a place
 */
final class ChainWriter<P> {
    /**
     * The maximum number of instructions in one loop. The JIT stops inlining at 18,000 of its nodes, some 450 for each instruction. Beyond
     * this limit vectors become objects. At 40, the last part of an erf with its neighbours was not inlined, and a GELU took twice as long.
     */
    private static final int MAX_WEIGHT = 32;

    private static final int MAX_ARRAYS = 12;

    /** The origin of a value. The number of the value is assigned when all values are known. */
    private enum Origin {
        LOADED,
        NUMBER,
        COMPUTED
    }

    private record Value(Origin origin, int index) {}

    private record Operation(VectorStep step, List<Value> sources) {}

    /**
     * A chain and its places.
     *
     * @param arrays the places to read, then the places to write
     * @param numbers the places of numbers that are the same for all elements
     * @param folded the places of folded numbers
     */
    record Written<P>(Chain chain, List<P> arrays, List<P> numbers, List<P> folded) {}

    private record Fold<P>(RowReduction fold, Value value, P target) {}

    private final List<P> loads = new ArrayList<>();
    private final List<P> numbers = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final List<Fold<P>> folds = new ArrayList<>();
    private final Map<P, Value> loaded = new HashMap<>();
    /** The last value that was written to each place. */
    private final Map<P, Value> written = new LinkedHashMap<>();

    private final Predicate<P> isNumber;
    private int weight;

    /** @param isNumber true for a place that holds one number for all elements */
    ChainWriter(Predicate<P> isNumber) {
        this.isNumber = isNumber;
    }

    /** Returns true if the loop has room for that many more instructions. */
    boolean hasRoom(int more) {
        boolean isEmpty = operations.isEmpty() && folds.isEmpty();
        return isEmpty || weight + more <= MAX_WEIGHT && loads.size() + written.size() < MAX_ARRAYS - 2;
    }

    /** Returns true if the chain folds into the place. The folded number is known only after all elements have been processed. */
    boolean foldsTo(P place) {
        return folds.stream().anyMatch(fold -> fold.target().equals(place));
    }

    void add(ChainCutter.Operation<P> operation) {
        operations.add(new Operation(
                operation.step(),
                operation.sources().stream().map(this::valueAt).toList()));
        weight += operation.step().weight();
        // Removed first, so that the new entry comes last.
        written.remove(operation.target());
        written.put(operation.target(), new Value(Origin.COMPUTED, operations.size() - 1));
    }

    void add(ChainCutter.Folding<P> folding) {
        folds.add(new Fold<>(folding.fold(), valueAt(folding.source()), folding.target()));
        weight += folding.fold().step().weight();
    }

    private Value valueAt(P place) {
        if (isNumber.test(place)) {
            return number(place);
        }
        Value value = written.get(place);
        return value != null ? value : loaded.computeIfAbsent(place, this::load);
    }

    private Value load(P place) {
        loads.add(place);
        return new Value(Origin.LOADED, loads.size() - 1);
    }

    private Value number(P place) {
        if (!numbers.contains(place)) {
            numbers.add(place);
        }
        return new Value(Origin.NUMBER, numbers.indexOf(place));
    }

    /** @param isNeeded true for a place whose final value is needed */
    Written<P> finish(Predicate<P> isNeeded) {
        List<P> stores = written.keySet().stream().filter(isNeeded).toList();
        List<Integer> stored =
                stores.stream().map(written::get).map(this::number).toList();
        List<Chain.Operation> steps = operations.stream()
                .map(operation -> new Chain.Operation(
                        operation.step(),
                        operation.sources().stream().map(this::number).toList()))
                .toList();
        List<Chain.Fold> ends = folds.stream()
                .map(fold -> new Chain.Fold(fold.fold(), number(fold.value())))
                .toList();
        List<P> arrays = new ArrayList<>(loads);
        arrays.addAll(stores);
        Chain chain = new Chain(loads.size(), numbers.size(), steps, stored, ends);
        return new Written<>(
                chain,
                arrays,
                List.copyOf(numbers),
                folds.stream().map(Fold::target).toList());
    }

    private int number(Value value) {
        return switch (value.origin()) {
            case LOADED -> value.index();
            case NUMBER -> loads.size() + value.index();
            case COMPUTED -> loads.size() + numbers.size() + value.index();
        };
    }
}
