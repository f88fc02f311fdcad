package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys and values of all texts of a model, in blocks that any text can use (Kwon et al., 2023). A text takes the blocks that it needs
 * and returns them at its end, so texts of any length share the memory. Writes are in place, so the pool is never copied.
 *
 * <p>The block table and the positions are tensors, so the shapes of a step do not depend on the length of the texts.
 * Thread-safe.
 */
public final class PagedKvCache implements AutoCloseable {
    /** The number of tokens in a block. */
    public static final int BLOCK_SIZE = 16;

    private final int blocks;
    private final int firstLayer;
    /** The keys of each layer, {@code [blocks · block size, groups, features]}. */
    private final List<Tensor> keys = new ArrayList<>();

    private final List<Tensor> values = new ArrayList<>();
    /** The number of texts that hold each block. */
    private final int[] holders;
    /** @param blocks number of blocks for texts; one more block, number 0, receives the writes of padding */
    public PagedKvCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, int blocks) {
        this(machine, dtype, layers, blocks, 0);
    }

    /** @param firstLayer the number of the first layer within the model */
    public PagedKvCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, int blocks, int firstLayer) {
        this.blocks = blocks + 1;
        this.firstLayer = firstLayer;
        holders = new int[this.blocks];
        holders[0] = 1;
        long slots = (long) this.blocks * BLOCK_SIZE;
        for (HeadShape layer : layers) {
            keys.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.features())));
            values.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.valueFeatures())));
        }
    }

    /** The shape of the keys and values of a layer. */
    public record HeadShape(long groups, long features, long valueFeatures) {
        /** Returns the number of elements of a token's key and value together. */
        public long elements() {
            return groups * (features + valueFeatures);
        }
    }

    /** Returns the number of blocks for a number of tokens. */
    public static int blocksOf(long tokens) {
        return Math.toIntExact(Math.ceilDiv(tokens, BLOCK_SIZE));
    }

    /** Returns the number of blocks that no text holds. */
    public synchronized int free() {
        int free = 0;
        for (int block = 1; block < blocks; block++) {
            free += holders[block] == 0 ? 1 : 0;
        }
        return free;
    }

    /** Takes blocks from the pool. Fails and takes none if too few are free. */
    public synchronized int[] take(int count) {
        if (free() < count) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "generate: " + count + " blocks of " + BLOCK_SIZE + " tokens are needed, and " + free() + " of "
                            + (blocks - 1) + " are free; end other texts, ask for fewer tokens, or load the model with"
                            + " room for more");
        }
        int[] found = new int[count];
        int next = 1;
        for (int place = 0; place < count; place++) {
            while (holders[next] > 0) {
                next++;
            }
            found[place] = next;
            holders[found[place]] = 1;
        }
        return found;
    }

    /** Releases the blocks of a text. */
    public synchronized void release(int[] these) {
        for (int block : these) {
            holders[block]--;
        }
    }

    /**
     * Returns the cache for a call over tokens of texts.
     *
     * @param table the blocks of each text, {@code [batch, blocks of a text]}, int64; 0 for none
     * @param positions the positions of the tokens, {@code [batch, tokens]}
     */
    public KeyValues at(Tensor table, Tensor positions) {
        return new At(table, positions);
    }

    /**
     * Copies blocks onto others in all layers. Must be called within a program.
     *
     * @param from the source blocks, {@code [count]}, int64
     * @param to the destination blocks, {@code [count]}; their content is overwritten
     */
    public void copyBlocks(Tensor from, Tensor to) {
        for (List<Tensor> pools : List.of(keys, values)) {
            for (Tensor pool : pools) {
                Tensor byBlock = pool.reshape(blocks, BLOCK_SIZE, pool.size(1), pool.size(2));
                byBlock.indexCopy_(0, to, byBlock.indexSelect(0, from));
            }
        }
    }

    private final class At implements KeyValues {
        private final Tensor table;
        private final Tensor positions;
        /** The destination index of each token, {@code [batch · tokens]}. */
        private final Tensor slots;

        At(Tensor table, Tensor positions) {
            this.table = table;
            this.positions = positions;
            Tensor block = table.gather(1, positions.floorDivide(BLOCK_SIZE));
            slots = block.mul(BLOCK_SIZE).add(positions.remainder(BLOCK_SIZE)).reshape(-1);
        }

        @Override
        public Tensor positions() {
            return positions;
        }

        @Override
        public Tensor attend(int layer, AttentionRule rule, Tensor query, Tensor key, Tensor value) {
            return AttentionPrimitives.paged(
                    query,
                    put(keys.get(layer - firstLayer), key),
                    put(values.get(layer - firstLayer), value),
                    table,
                    positions,
                    rule.window(),
                    rule.scale(),
                    rule.softCap());
        }

        /** Writes the tokens' entries, and returns the pool shaped by blocks. */
        private Tensor put(Tensor pool, Tensor added) {
            Tensor byToken = added.transpose(1, 2).reshape(-1, added.size(1), added.size(3));
            pool.indexCopy_(0, slots, byToken);
            return pool.reshape(blocks, BLOCK_SIZE, pool.size(1), pool.size(2));
        }
    }

    @Override
    public void close() {
        keys.forEach(Tensor::close);
        values.forEach(Tensor::close);
    }
}
