package dev.outpost.protocol.ir;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The part of a graph that a plan depends on: ops with their structural attributes, operands, dtypes of immediates,
 * the inputs that die, and the results that outlive the graph. It contains no numbers, source lines or types of
 * inputs. Equality compares arrays, so it does not depend on the depth of the graph.
 */
public final class Structure {
    private final int instructionCount;
    private final int inputCount;
    private final int resultCount;
    /** The values that are not used after the graph has run. */
    private final BitSet dropped;

    private final int outputCount;
    /** Ops and operands, as a {@link GraphBuilder} encodes them. */
    private final int[] wiring;
    /** The structural attributes of all ops, as each op encodes them. */
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

    /** Returns the number of results that outlive the graph. */
    public int outputCount() {
        return outputCount;
    }

    /** Returns true if an input is not used after the graph has run. */
    public boolean isDying(int input) {
        return dropped.get(input);
    }

    /** Returns true if a result outlives the graph. */
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
