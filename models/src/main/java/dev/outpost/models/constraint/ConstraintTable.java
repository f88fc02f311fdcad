package dev.outpost.models.constraint;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The constraints' automata on the machine. The machine computes the masks with them, so steps need not wait for each
 * other. A state is the index of the start of its row in {@code moves}. A row begins with the minimum number of
 * tokens to the text's end, followed by the state after each class of tokens. Index 0 allows everything, for texts
 * without a constraint. Not thread-safe.
 */
public final class ConstraintTable implements AutoCloseable {
    private static final long FIRST_MOVES = 1 << 12;
    /** The number of elements above which unused constraints are removed before the memory grows. */
    private static final long ROOMY = 1 << 22;

    /** The number of class rows above which unused entries are removed. */
    static final int ROOMY_ROWS = 64;

    private static final int FIRST_ROWS = 4;

    private final RemoteMachine machine;
    private final int vocabulary;
    /** The location of each constraint, the least recently used first. */
    private final Map<TokenConstraint, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private final Deque<Integer> freeRows = new ArrayDeque<>();
    /** The rows of all automata in sequence, int32. A state is −1 if a token is not allowed. */
    private Tensor moves;
    /** The index of each token within a row, {@code [constraints, vocabulary]}, int32. */
    private Tensor classes;

    private int rows = 1;

    private record Entry(int row, long start, long size) {}

    /** The initial values of a text: its state, and the row of its classes. */
    public record Beginning(long state, long row) {}

    public ConstraintTable(RemoteMachine machine, int vocabulary) {
        this.machine = machine;
        this.vocabulary = vocabulary;
        moves = machine.unscoped(() -> machine.zeros(DType.INT32, FIRST_MOVES));
        classes = machine.unscoped(() -> machine.zeros(DType.INT32, FIRST_ROWS, vocabulary));
    }

    /**
     * Adds a constraint unless the table has it.
     *
     * @param state the state of the text after its present tokens
     * @param used the constraints of texts that continue
     */
    public Beginning begin(@Nullable TokenConstraint constraint, int state, Set<TokenConstraint> used) {
        if (constraint == null) {
            return new Beginning(0, 0);
        }
        Entry entry = entries.get(constraint);
        if (entry == null) {
            entry = place(constraint, used);
            entries.put(constraint, entry);
            upload(constraint, entry);
        }
        return new Beginning(entry.start + (long) state * width(constraint), entry.row);
    }

    private Entry place(TokenConstraint constraint, Set<TokenConstraint> used) {
        long size = (long) constraint.states() * width(constraint);
        long start = gap(size);
        while (start < 0 && moves.size(0) >= ROOMY && forgetOldest(used)) {
            start = gap(size);
        }
        while (start < 0) {
            moves = grown(moves, 2 * moves.size(0));
            start = gap(size);
        }
        return new Entry(row(used), start, size);
    }

    /** Returns the first index with enough room, or −1. */
    private long gap(long size) {
        TreeMap<Long, Long> taken = new TreeMap<>();
        entries.values().forEach(entry -> taken.put(entry.start, entry.size));
        long end = 1;
        for (Map.Entry<Long, Long> one : taken.entrySet()) {
            if (one.getKey() - end >= size) {
                return end;
            }
            end = one.getKey() + one.getValue();
        }
        return moves.size(0) - end >= size ? end : -1;
    }

    private boolean forgetOldest(Set<TokenConstraint> used) {
        for (TokenConstraint one : entries.keySet()) {
            if (!used.contains(one)) {
                freeRows.add(entries.remove(one).row);
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a row for classes. A row has an element for each token of the vocabulary. To save memory, rows of
     * unused constraints are reused above a limit.
     */
    private int row(Set<TokenConstraint> used) {
        if (freeRows.isEmpty() && rows == classes.size(0) && rows >= ROOMY_ROWS) {
            forgetOldest(used);
        }
        if (!freeRows.isEmpty()) {
            return freeRows.remove();
        }
        if (rows == classes.size(0)) {
            classes = grown(classes, 2L * rows);
        }
        return rows++;
    }

    /** Returns a copy whose first dimension is larger. Doubles it, so that programs see few shapes. */
    private Tensor grown(Tensor before, long size) {
        long[] shape = before.shape().toArray();
        shape[0] = size;
        Tensor larger = machine.unscoped(() -> machine.zeros(DType.INT32, shape));
        Scope.tidy(() -> larger.narrow(0, 0, before.size(0)).copy_(before));
        before.close();
        return larger;
    }

    /** Returns the number of elements in a row. */
    private static int width(TokenConstraint constraint) {
        return 1 + constraint.classes();
    }

    private void upload(TokenConstraint constraint, Entry entry) {
        int[] rows = rows(constraint, entry.start);
        int[] ofTokens = new int[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            ofTokens[token] = 1 + constraint.classOf(token);
        }
        Scope.tidy(() -> {
            moves.narrow(0, entry.start, rows.length).copy_(machine.tensor(rows, rows.length));
            return classes.narrow(0, entry.row, 1).copy_(machine.tensor(ofTokens, 1, vocabulary));
        });
    }

    private static int[] rows(TokenConstraint constraint, long start) {
        int classes = constraint.classes();
        int width = width(constraint);
        int[] rows = new int[constraint.states() * width];
        for (int state = 0; state < constraint.states(); state++) {
            rows[state * width] = constraint.tokensToEnd(state);
            for (int kind = 0; kind < classes; kind++) {
                int next = constraint.next()[state * classes + kind];
                rows[state * width + 1 + kind] = next < 0 ? -1 : Math.toIntExact(start + (long) next * width);
            }
        }
        return rows;
    }

    public Tensor moves() {
        return moves;
    }

    public Tensor classes() {
        return classes;
    }

    /**
     * Returns the states after all tokens, {@code [rows, vocabulary]}, int32; −1 if a token is not allowed.
     *
     * @param states {@code [rows]}, int64
     * @param which the row of each text in the classes, {@code [rows]}, int64
     */
    public static Tensor behind(Tensor moves, Tensor classes, Tensor states, Tensor which) {
        Tensor positions = classes.indexSelect(0, which).to(DType.INT64).add(states.unsqueeze(-1));
        return moves.indexSelect(0, positions.reshape(-1)).reshape(positions.size(0), positions.size(1));
    }

    /**
     * Returns the states of {@link #behind}, with −1 also for states from which the text cannot end in time. Changes
     * nothing if the text cannot end in time from its present state either.
     *
     * @param behind {@code [rows, vocabulary]}, int32
     * @param states {@code [rows]}, int64
     * @param left number of tokens that each text can still have, including the next one, {@code [rows, 1]}, float32
     */
    public static Tensor endingInTime(Tensor moves, Tensor behind, Tensor states, Tensor left) {
        Tensor least = moves.indexSelect(0, states).unsqueeze(-1).to(DType.FLOAT32);
        Tensor toEnd = moves.indexSelect(0, behind.clampMin(0).to(DType.INT64).reshape(-1))
                .reshape(behind.size(0), behind.size(1))
                .to(DType.FLOAT32);
        Tensor isLate = toEnd.ge(left).logicalAnd(least.le(left));
        return behind.maskedFill(isLate, -1);
    }

    @Override
    public void close() {
        moves.close();
        classes.close();
    }
}
