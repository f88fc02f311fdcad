package dev.outpost.inference;

import dev.outpost.models.SamplingMetadata;
import dev.outpost.models.SequenceInit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A step of a {@link ModelRunner}: a batch of tokens of several texts, one row for each token. A text has a slot while it is
 * computed. The rows of a text are in the order of their positions. A text has many rows in a step that computes a part of
 * its prompt, and otherwise one. Not thread-safe.
 */
public final class ModelStep {
    /** The value that stands for the token that was chosen last for the slot. The caller need not have read that token. */
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

    /**
     * Sets the initial state of a slot for a text that begins or continues there. Optional unless
     * {@link SequenceInit#matters} is true.
     */
    public void begin(int slot, SequenceInit init) {
        beginnings.put(slot, init);
    }

    /**
     * Adds a token.
     *
     * @param slot the slot of the text, at least 1
     * @param token the token, or {@link #LATEST}
     * @param position the position in the text
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

    /** Requests that the step chooses the token that follows the last added row. */
    public void choose(SamplingMetadata sampling) {
        chosenRows.add(count - 1);
        choices.add(sampling);
    }

    /** Sets the blocks of a slot, in the order of positions. Required for each slot that has rows. */
    public void blocks(int slot, int[] ofText) {
        blocks.put(slot, ofText);
    }

    /** Sets the number of the adapter for the rows of a slot; 0, the default, for none. */
    public void adapter(int slot, int number) {
        adapters.put(slot, number);
    }

    /** Returns the number of the adapter of a slot. */
    public int adapter(int slot) {
        return adapters.getOrDefault(slot, 0);
    }

    long[] adaptersOfSlots(int slotCount) {
        long[] numbers = new long[slotCount];
        adapters.forEach((slot, number) -> numbers[slot] = number);
        return numbers;
    }

    /** Returns the number of tokens in the step. */
    public int rows() {
        return count;
    }

    /** Returns the number of tokens that the step chooses. */
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

    /** Returns the row after which a choice is made. */
    public int chosenRow(int choice) {
        return chosenRows.get(choice);
    }

    /** Returns the blocks of a slot that has rows. */
    public int[] blocks(int slot) {
        return blocks.get(slot).clone();
    }

    Map<Integer, SequenceInit> beginnings() {
        return beginnings;
    }

    List<SamplingMetadata> choices() {
        return choices;
    }

    /** Returns tokens, then slots, then positions, each padded to {@code size} with rows that belong to no text. */
    long[] filledRows(int size) {
        long[] filled = new long[3 * size];
        for (int row = 0; row < count; row++) {
            filled[row] = tokens[row];
            filled[size + row] = slots[row];
            filled[2 * size + row] = positions[row];
        }
        return filled;
    }

    /** Returns the rows after which tokens are chosen, padded with {@code spareRow}, which belongs to no text. */
    long[] filledChoices(int size, int spareRow) {
        long[] filled = new long[size];
        Arrays.fill(filled, spareRow);
        for (int choice = 0; choice < chosenRows.size(); choice++) {
            filled[choice] = chosenRows.get(choice);
        }
        return filled;
    }

    /** Returns the largest number of blocks of a text. */
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
