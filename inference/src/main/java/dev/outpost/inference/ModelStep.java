package dev.outpost.inference;

import dev.outpost.models.sampling.SamplingMetadata;
import dev.outpost.models.sampling.SequenceInit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A step of a {@link ModelRunner}: tokens of several texts, a row each. A text has a slot while it is computed. Rows
 * of a text stand in the order of their positions; some texts have many rows, which are a part of a prompt, and others
 * one. One thread at a time.
 */
public final class ModelStep {
    /** Stands for the token that was chosen last for the row's slot, which need not have been read. */
    public static final int LATEST = -1;

    private int[] tokens = new int[64];
    private int[] slots = new int[64];
    private int[] positions = new int[64];
    private int count;
    private final List<Integer> chosenRows = new ArrayList<>();
    private final List<SamplingMetadata> choices = new ArrayList<>();
    private final Map<Integer, int[]> blocks = new TreeMap<>();
    private final Map<Integer, Integer> adapters = new TreeMap<>();
    private final Map<Integer, SequenceInit> beginnings = new TreeMap<>();

    /** A text begins in a slot, or goes on there; where nothing of it {@link SequenceInit#matters}, it need not be said. */
    public void begin(int slot, SequenceInit init) {
        beginnings.put(slot, init);
    }

    /**
     * Adds a token.
     *
     * @param slot from 1 on
     * @param token or {@link #LATEST}
     * @param position in its text
     */
    public void add(int slot, int token, int position) {
        if (count == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * count);
            slots = Arrays.copyOf(slots, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
        }
        tokens[count] = token;
        slots[count] = slot;
        positions[count] = position;
        count++;
    }

    /** The token behind the row that was added last is wanted. */
    public void choose(SamplingMetadata sampling) {
        chosenRows.add(count - 1);
        choices.add(sampling);
    }

    /** The blocks of a slot, in the order of positions; of each slot that has rows. */
    public void blocks(int slot, int[] ofText) {
        blocks.put(slot, ofText);
    }

    /** The number of the adapter that computes a slot's rows; 0, which it is unless it is said, for none. */
    public void adapter(int slot, int number) {
        adapters.put(slot, number);
    }

    /** The number of the adapter of a slot. */
    public int adapter(int slot) {
        return adapters.getOrDefault(slot, 0);
    }

    /** The numbers of all slots' adapters. */
    long[] adaptersOfSlots(int slotCount) {
        long[] numbers = new long[slotCount];
        adapters.forEach((slot, number) -> numbers[slot] = number);
        return numbers;
    }

    /** How many tokens it has. */
    public int rows() {
        return count;
    }

    /** How many tokens it chooses. */
    public int chosen() {
        return choices.size();
    }

    public int token(int row) {
        return tokens[row];
    }

    public int slot(int row) {
        return slots[row];
    }

    public int position(int row) {
        return positions[row];
    }

    /** The row behind which a token is chosen. */
    public int chosenRow(int choice) {
        return chosenRows.get(choice);
    }

    /** The blocks of a slot that has rows. */
    public int[] blocks(int slot) {
        return blocks.get(slot).clone();
    }

    Map<Integer, SequenceInit> beginnings() {
        return beginnings;
    }

    List<SamplingMetadata> choices() {
        return choices;
    }

    /** Tokens, slots and positions, one behind the other, filled up by rows that belong to no text. */
    long[] filledRows(int size) {
        long[] filled = new long[3 * size];
        for (int row = 0; row < count; row++) {
            filled[row] = tokens[row];
            filled[size + row] = slots[row];
            filled[2 * size + row] = positions[row];
        }
        return filled;
    }

    /** The rows behind which tokens are chosen, filled up by a row that belongs to no text. */
    long[] filledChoices(int size, int spareRow) {
        long[] filled = new long[size];
        Arrays.fill(filled, spareRow);
        for (int choice = 0; choice < chosenRows.size(); choice++) {
            filled[choice] = chosenRows.get(choice);
        }
        return filled;
    }

    /** How many blocks the text with the most has. */
    int maxBlocks() {
        return blocks.values().stream().mapToInt(own -> own.length).max().orElse(1);
    }

    long[] table(int slotCount, int width) {
        long[] table = new long[slotCount * width];
        blocks.forEach((slot, own) -> {
            for (int place = 0; place < own.length; place++) {
                table[slot * width + place] = own[place];
            }
        });
        return table;
    }
}
