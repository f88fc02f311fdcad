package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Arrays;

/**
 * Partial functions from states to states. Equal functions are stored once, so a function is identified by its number. A function is a list
 * of pairs, ordered by their first states. Not thread-safe.
 */
final class StateFunctions {
    /** The function that is defined nowhere. */
    static final int EMPTY = 0;

    private static final int[] NOTHING = {};
    private static final int FREE = -1;

    private final long maxPairs;
    private final Effort effort;
    private int[][] domains = new int[256][];
    private int[][] values = new int[256][];
    private int[] hashes = new int[256];
    private int count;
    private long pairs;
    /** A hash table of the functions' numbers. */
    private int[] slots = new int[1024];

    private int[] foundStates = new int[256];
    private int[] foundValues = new int[256];

    /** @param maxPairs the limit of pairs that all functions together may have */
    StateFunctions(long maxPairs, Effort effort) {
        this.maxPairs = maxPairs;
        this.effort = effort;
        Arrays.fill(slots, FREE);
        intern(NOTHING, 0);
    }

    int count() {
        return count;
    }

    /** Returns the states in which a function is defined, in order. */
    int[] domain(int function) {
        return domains[function];
    }

    /** Returns the values of a function in the order of {@link #domain}. */
    int[] values(int function) {
        return values[function];
    }

    /** Returns the value of a function for each state; −1 if it is not defined there. */
    int[] dense(int function, int states) {
        int[] dense = new int[states];
        Arrays.fill(dense, -1);
        for (int place = 0; place < domains[function].length; place++) {
            dense[domains[function][place]] = values[function][place];
        }
        return dense;
    }

    /** Returns the function with the given pairs, which are in order. */
    int of(int[] states, int[] itsValues) {
        effort.spend(states.length);
        reserve(states.length);
        System.arraycopy(itsValues, 0, foundValues, 0, states.length);
        return intern(states, states.length);
    }

    /**
     * Returns the composition of two functions, which applies the first one first.
     *
     * @param second the value of the second function for each state; −1 if it is not defined there
     */
    int composed(int first, int[] second) {
        int[] states = domains[first];
        int[] between = values[first];
        int size = states.length;
        effort.spend(size);
        reserve(size);
        int found = 0;
        for (int place = 0; place < size; place++) {
            int value = second[between[place]];
            foundStates[found] = states[place];
            foundValues[found] = value;
            // Adds 1 for a state and 0 for −1, without a branch, which would often be predicted wrongly.
            found += 1 + (value >> Integer.SIZE - 1);
        }
        // Most functions are defined in the same states as some other function. Such functions share the array.
        return intern(found == size ? states : foundStates, found);
    }

    private void reserve(int size) {
        if (foundStates.length < size) {
            foundStates = new int[Math.max(size, 2 * foundStates.length)];
            foundValues = new int[foundStates.length];
        }
    }

    /** Returns the number of the function whose states are given and whose values were found. */
    private int intern(int[] states, int size) {
        int hash = hash(states, foundValues, size);
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != FREE) {
            if (hashes[slots[slot]] == hash && isEqual(slots[slot], states, size)) {
                return slots[slot];
            }
            slot = slot + 1 & mask;
        }
        pairs += size;
        if (pairs > maxPairs) {
            throw new OutpostException(
                    FaultKind.USER,
                    "constraint: the schema or expression is too large: the vocabulary's tokens have more than "
                            + maxPairs + " entries in its states");
        }
        slots[slot] = count;
        add(states == foundStates ? Arrays.copyOf(states, size) : states, size, hash);
        return count - 1;
    }

    private void add(int[] states, int size, int hash) {
        if (count == hashes.length) {
            domains = Arrays.copyOf(domains, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
        domains[count] = states;
        values[count] = Arrays.copyOf(foundValues, size);
        hashes[count++] = hash;
        if (2 * count > slots.length) {
            slots = new int[2 * slots.length];
            Arrays.fill(slots, FREE);
            for (int function = 0; function < count; function++) {
                int slot = hashes[function] & slots.length - 1;
                while (slots[slot] != FREE) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = function;
            }
        }
    }

    private boolean isEqual(int function, int[] states, int size) {
        int[] domain = domains[function];
        return domain.length == size
                && (domain == states || Arrays.equals(domain, 0, size, states, 0, size))
                && Arrays.equals(values[function], 0, size, foundValues, 0, size);
    }

    /** Adds up mixed pairs. The sum does not depend on the result for the pair before, so the processor adds several at a time. */
    private static int hash(int[] states, int[] itsValues, int size) {
        int hash = size;
        for (int place = 0; place < size; place++) {
            int pair = states[place] * 0x9E3779B1 + itsValues[place] * 0x85EBCA6B;
            hash += (pair ^ pair >>> 15) * 0x2C1B3C6D;
        }
        return hash ^ hash >>> 16;
    }
}
