package dev.outpost.protocol.ir;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The part of a graph that a plan depends on: ops with their structural attributes, operands, dtypes of immediates, which
 * inputs die, which results outlive the graph. Numbers and lines are no part of it, and types of inputs are told besides.
 * Equality costs no more than to compare arrays, however deep the graph is.
 */
public final class Structure {
    private final int instructionCount;
    private final int inputCount;
    private final int resultCount;
    /** The values that nobody asks for after the graph has run. */
    private final BitSet dropped;

    private final int outputCount;
    /** Ops and operands, as a builder writes them. */
    private final int[] wiring;
    /** Structural attributes of all ops, as each op writes its own. */
    private final byte[] attributes;

    private final int hash;

    Structure(int instructionCount, int inputCount, int resultCount, BitSet dropped, int[] wiring, byte[] attributes) {
        this.instructionCount = instructionCount;
        this.inputCount = inputCount;
        this.resultCount = resultCount;
        this.dropped = dropped;
        this.outputCount =
                resultCount - dropped.get(inputCount, inputCount + resultCount).cardinality();
        this.wiring = wiring;
        this.attributes = attributes;
        this.hash = 31 * Arrays.hashCode(wiring) + Arrays.hashCode(attributes);
    }

    public int instructionCount() {
        return instructionCount;
    }

    public int inputCount() {
        return inputCount;
    }

    public int resultCount() {
        return resultCount;
    }

    /** How many results outlive the graph. */
    public int outputCount() {
        return outputCount;
    }

    /** Whether an input is not asked for again after the graph has run. */
    public boolean isDying(int input) {
        return dropped.get(input);
    }

    /** Whether a result outlives the graph. */
    public boolean isKept(int result) {
        return !dropped.get(inputCount + result);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Structure structure && hash == structure.hash && isLike(structure);
    }

    private boolean isLike(Structure other) {
        return inputCount == other.inputCount
                && Arrays.equals(wiring, other.wiring)
                && Arrays.equals(attributes, other.attributes)
                && dropped.equals(other.dropped);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
