package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The automata of a batch's texts, on the machine, so that masks are computed there and steps need not wait for each other. Row 0
 * allows everything, for texts without one.
 */
final class Constraints implements AutoCloseable {
    /** States of all automata together are so many at first, and then twice as many. */
    private static final int FIRST_STATES = 64;

    /** Entries of the table. */
    private static final long MOST = 1L << 28;

    private final RemoteMachine machine;
    private final int vocabulary;
    private final Map<TokenConstraint, Integer> starts = new HashMap<>();
    /** The state behind each token, {@code [states, vocabulary]}, int32; −1 where it is not allowed. */
    private Tensor table;

    private int used = 1;

    Constraints(RemoteMachine machine, int vocabulary) {
        this.machine = machine;
        this.vocabulary = vocabulary;
    }

    /** Where a text with this constraint begins. */
    int start(@Nullable TokenConstraint constraint) {
        return constraint == null ? 0 : starts.get(constraint);
    }

    void add(TokenConstraint constraint) {
        if (starts.containsKey(constraint)) {
            return;
        }
        int states = constraint.states();
        if ((long) (used + states) * vocabulary > MOST) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "join: constraints of " + (used + states) + " states with " + vocabulary
                            + " tokens are more than a batch has room for; end the batch, or use simpler ones");
        }
        int[] rows = new int[states * vocabulary];
        for (int state = 0; state < states; state++) {
            int[] next = constraint.next()[state];
            if (next.length != vocabulary) {
                throw new OutpostException(
                        FaultKind.USER,
                        "join: the constraint is for " + next.length + " tokens, and the model has " + vocabulary);
            }
            for (int token = 0; token < vocabulary; token++) {
                rows[state * vocabulary + token] = next[token] < 0 ? -1 : next[token] + used;
            }
        }
        Tensor more = machine.unscoped(() -> machine.tensor(rows, states, vocabulary));
        append(more, states);
        starts.put(constraint, used);
        used += states;
    }

    /** The table grows by doubling, so that programs see few shapes. */
    private void append(Tensor more, int states) {
        long room = table == null ? FIRST_STATES : table.size(0);
        while (room < used + states) {
            room *= 2;
        }
        long free = room - used - states;
        Tensor before = table;
        table = machine.unscoped(() -> Scope.tidy(() -> {
            Tensor known = before == null ? machine.zeros(DType.INT32, 1, vocabulary) : before.narrow(0, 0, used);
            Tensor empty = machine.zeros(DType.INT32, free, vocabulary);
            return Tensors.cat(List.of(known, more, empty), 0);
        }));
        more.close();
        if (before != null) {
            before.close();
        }
    }

    Tensor table() {
        return table;
    }

    /** The states behind all tokens, {@code [rows, vocabulary]}. */
    static Tensor allowed(Tensor table, Tensor states) {
        return table.indexSelect(0, states);
    }

    /** The states behind the tokens that were chosen, {@code [rows]}, int64. */
    static Tensor next(Tensor allowed, Tensor chosen) {
        return allowed.gather(1, chosen.unsqueeze(-1)).squeeze(-1).to(DType.INT64);
    }

    @Override
    public void close() {
        if (table != null) {
            table.close();
        }
    }
}
