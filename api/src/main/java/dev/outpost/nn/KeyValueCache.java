package dev.outpost.nn;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.StepCount;
import dev.outpost.internal.Writes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * The keys and values of all decoded positions, which stay on the machine. Each step appends its own keys and values
 * in place, and attends to all of them. Their number is data on the machine, too, so each step has the same shapes,
 * and a loop of steps is one program or scan:
 *
 * <pre>{@code
 * var step = machine.program(inputs -> {
 *     cache.append(key(inputs.get(0)), value(inputs.get(0)));
 *     return List.of(cache.attend(query(inputs.get(0))));
 * });
 * }</pre>
 *
 * <p>Several threads may append to one cache. Each call appends all its elements together; the order of calls of different threads is not
 * defined.
 *
 * <p>No gradient flows into a cache. Appending beyond the capacity fails. In a program, the machine detects this, and the contents of the
 * cache are lost with the step.
 */
public final class KeyValueCache implements AutoCloseable {
    private static final String OP = "key_value_cache";

    private final Tensor keys;
    private final Tensor values;
    /** The number of keys as a tensor {@code [1]} on the machine. */
    private final Tensor filled;
    /** The number of keys, counted by the client; calls of programs advance it, too. */
    private final StepCount count = new StepCount();

    /** Creates a cache in float32 whose values have as many features as keys. */
    public KeyValueCache(RemoteMachine machine, long batch, long groups, long capacity, long features) {
        this(machine, DType.FLOAT32, Shape.of(batch, groups, capacity, features), features);
    }

    /**
     * Allocates the memory for the whole capacity.
     *
     * @param keys {@code [batch, groups, capacity, features]}
     * @param valueFeatures the features of a value
     */
    public KeyValueCache(RemoteMachine machine, DType dtype, Shape keys, long valueFeatures) {
        if (keys.rank() != 4) {
            throw new OpException(OP, "batch, groups, capacity and features are needed, got " + keys);
        }
        this.keys = machine.zeros(dtype, keys.toArray());
        values = machine.zeros(dtype, keys.size(0), keys.size(1), keys.size(2), valueFeatures);
        filled = machine.zeros(DType.INT64, 1);
    }

    /** Returns the number of keys. Waits if the number depends on a scan. */
    public long length() {
        return count.value();
    }

    public long capacity() {
        return keys.size(2);
    }

    /**
     * Appends keys and their values.
     *
     * @param newKeys {@code [batch, groups, count, features]}
     * @param newValues {@code [batch, groups, count, value features]}
     */
    public void append(Tensor newKeys, Tensor newValues) {
        requireLike("keys", keys, newKeys);
        requireLike("values", values, newValues);
        long more = newKeys.size(2);
        if (newValues.size(2) != more) {
            throw new OpException(
                    OP, "there must be a value for each key, got " + newKeys.shape() + " and " + newValues.shape());
        }
        requireRoom(more);
        GradMode.noGrad(() -> Writes.withLocks(List.of(keys, values, filled), () -> {
            requireRoom(more);
            Tensor positions = filled.add(numbers(more));
            keys.indexCopy_(2, positions, newKeys);
            values.indexCopy_(2, positions, newValues);
            count.advance(more);
            return filled.add_(more);
        }));
    }

    /**
     * Fails if there is no room. May wait if the length depends on a scan. So it is called once before a write begins, and does not wait
     * again within the write.
     */
    private void requireRoom(long more) {
        if (length() + more > capacity()) {
            throw new OpException(
                    OP,
                    "it is full, got " + more + " more for " + length() + " of " + capacity() + "; make a larger one");
        }
    }

    private void requireLike(String what, Tensor held, Tensor added) {
        boolean fits = added.dim() == 4
                && added.dtype() == held.dtype()
                && added.size(0) == held.size(0)
                && added.size(1) == held.size(1)
                && added.size(3) == held.size(3);
        if (!fits) {
            throw new OpException(OP, what + " must be like " + held.type() + " but for how many, got " + added.type());
        }
    }

    /** Returns {@code [0, 1, ..., count - 1]}. */
    private Tensor numbers(long upTo) {
        return filled.machine().arange(upTo);
    }

    /**
     * Attends from the latest positions; each attends to the keys up to its own position.
     *
     * @param query {@code [batch, heads, count, features]} of the positions that were appended last; neighbouring heads share a group of
     *     keys and values
     * @return {@code [batch, heads, count, value features]}
     */
    public Tensor attend(Tensor query) {
        if (query.dim() != 4 || query.size(2) > length()) {
            throw new OpException(
                    OP, "queries must be of positions that were appended, got " + query.shape() + " and " + length());
        }
        long queries = query.size(2);
        Tensor last = filled.sub(queries).add(numbers(queries));
        Tensor isSeen = numbers(capacity()).le(last.unsqueeze(-1));
        return Functional.scaledDotProductAttention(query, keys, values, isSeen, false)
                .output();
    }

    /** Removes all keys and values; their memory is reused. */
    public void clear() {
        Writes.withLocks(List.of(keys, values, filled), () -> {
            count.set(0);
            return filled.zero_();
        });
    }

    @Override
    public void close() {
        keys.close();
        values.close();
        filled.close();
    }
}
