package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * A plain cache: each sequence of a batch has a row of slots of its own, the slot of a token being its position. How far a
 * sequence is is data on the machine, so that a step has the same shapes each time.
 */
final class SlotCache implements AutoCloseable {
    private final long batch;
    private final long capacity;
    /** By layer, {@code [batch · capacity, groups, features]}. */
    private final List<Tensor> keys = new ArrayList<>();

    private final List<Tensor> values = new ArrayList<>();

    SlotCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, long batch, long capacity) {
        this.batch = batch;
        this.capacity = capacity;
        for (HeadShape layer : layers) {
            keys.add(machine.unscoped(() -> machine.zeros(dtype, batch * capacity, layer.groups(), layer.features())));
            values.add(machine.unscoped(
                    () -> machine.zeros(dtype, batch * capacity, layer.groups(), layer.valueFeatures())));
        }
    }

    /** What the keys and values of a layer are like. */
    record HeadShape(long groups, long features, long valueFeatures) {}

    long capacity() {
        return capacity;
    }

    /** For a call over tokens at these positions, {@code [batch, tokens]}. */
    KeyValues at(Tensor positions) {
        return new At(positions);
    }

    private final class At implements KeyValues {
        private final Tensor positions;
        /** Where the tokens go, {@code [batch · tokens]}. */
        private final Tensor slots;

        At(Tensor positions) {
            this.positions = positions;
            Tensor rows = positions.machine().arange(batch).mul(capacity).reshape(-1, 1);
            this.slots = positions.add(rows).reshape(-1);
        }

        @Override
        public Tensor positions() {
            return positions;
        }

        @Override
        public Tensor attend(int layer, AttentionRule rule, Tensor query, Tensor key, Tensor value) {
            put(keys.get(layer), key);
            put(values.get(layer), value);
            return MaskedAttention.attend(rule, positions, query, all(keys.get(layer)), all(values.get(layer)));
        }

        private void put(Tensor pool, Tensor added) {
            Tensor byToken = added.transpose(1, 2).reshape(-1, added.size(1), added.size(3));
            pool.indexCopy_(0, slots, byToken);
        }

        /** {@code [batch, groups, capacity, features]}. */
        private Tensor all(Tensor pool) {
            return pool.reshape(batch, capacity, pool.size(1), pool.size(2)).transpose(1, 2);
        }
    }

    @Override
    public void close() {
        keys.forEach(Tensor::close);
        values.forEach(Tensor::close);
    }
}
