package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import java.util.List;

/**
 * Operations on registers, one after the other, over elements that lie beside each other: what is between two of them is never
 * stored. Its values are numbered: what is loaded, then the numbers that are the same for all elements, then what the operations
 * compute. Equal chains are equal code.
 *
 * @param loads how many arrays are read
 * @param numbers how many numbers there are
 * @param stored the values that are stored, one for each array that is written
 * @param folds the values that are folded into one number each
 */
public record Chain(int loads, int numbers, List<Operation> operations, List<Integer> stored, List<Fold> folds) {
    /** One of them, of values before it. */
    record Operation(VectorStep step, List<Integer> sources) {
        Operation {
            sources = List.copyOf(sources);
        }
    }

    /** All elements of a value to one number, along the tree of a {@link RowReduction}. */
    record Fold(RowReduction fold, int value) {}

    public Chain {
        operations = List.copyOf(operations);
        stored = List.copyOf(stored);
        folds = List.copyOf(folds);
    }

    /** The value that is computed first. */
    int firstComputed() {
        return loads + numbers;
    }

    boolean isLoaded(int value) {
        return value < loads;
    }

    /** About how many instructions it is for each register: those of its operations and folds, and what loads and stores. */
    int weight() {
        int computed = operations.stream()
                .mapToInt(operation -> operation.step().weight())
                .sum();
        int folded =
                folds.stream().mapToInt(fold -> fold.fold().step().weight()).sum();
        return computed + folded + arrays();
    }

    /** How many arrays it goes through: those that are read, then those that are written. */
    int arrays() {
        return loads + stored.size();
    }

    /** How many numbers its loop is given: those that it reads, those that it folds, and what it needs for folding. */
    int room() {
        return numbers + (folds.isEmpty() ? 0 : folds.size() + RowReduction.SHORT);
    }
}
