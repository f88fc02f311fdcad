package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import java.util.List;

/**
 * A sequence of operations on registers, over consecutive elements. Intermediate values are never stored. Values are numbered: first the
 * loaded ones, then the numbers that are the same for all elements, then the results of the operations. Equal chains have equal code.
 *
 * @param loads the number of arrays that are read
 * @param numbers the number of scalar inputs
 * @param stored the values that are stored, one for each array that is written
 * @param folds the values that are folded into one number each
 */
public record Chain(int loads, int numbers, List<Operation> operations, List<Integer> stored, List<Fold> folds) {
    /** An operation on values with lower numbers. */
    record Operation(VectorStep step, List<Integer> sources) {
        Operation {
            sources = List.copyOf(sources);
        }
    }

    /** Folds all elements of a value into one number, along the tree of a {@link RowReduction}. */
    record Fold(RowReduction fold, int value) {}

    public Chain {
        operations = List.copyOf(operations);
        stored = List.copyOf(stored);
        folds = List.copyOf(folds);
    }

    /** Returns the number of the first computed value. */
    int firstComputed() {
        return loads + numbers;
    }

    boolean isLoaded(int value) {
        return value < loads;
    }

    /** Returns the approximate number of instructions for each register: operations, folds, loads and stores. */
    int weight() {
        int computed = operations.stream()
                .mapToInt(operation -> operation.step().weight())
                .sum();
        int folded =
                folds.stream().mapToInt(fold -> fold.fold().step().weight()).sum();
        return computed + folded + arrays();
    }

    /** Returns the number of arrays: first those that are read, then those that are written. */
    int arrays() {
        return loads + stored.size();
    }

    /** Returns the length of the loop's array of numbers: scalar inputs, folded results, and working space for folding. */
    int room() {
        return numbers + (folds.isEmpty() ? 0 : folds.size() + RowReduction.SHORT);
    }
}
