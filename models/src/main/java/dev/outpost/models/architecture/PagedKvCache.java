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
 * The keys and values of all texts of a model, in blocks that any text can have (Kwon et al., 2023). A text takes the blocks that
 * it needs and gives them back when it ends, so texts of any length share the memory. What is written goes where a block is: the
 * pool is never copied.
 *
 * <p>The table of blocks and the positions are tensors, so a step has the same shapes however long the texts are. Thread-safe.
 */
public final class PagedKvCache implements AutoCloseable {
    /** Tokens of a block. */
    public static final int BLOCK_SIZE = 16;

    private final int blocks;
    private final int firstLayer;
    /** By layer, {@code [blocks · block size, groups, features]}. */
    private final List<Tensor> keys = new ArrayList<>();

    private final List<Tensor> values = new ArrayList<>();
    /** How many texts have a block. */
    private final int[] holders;
    /** @param blocks for texts; there is one more, which is nobody's, where padding goes */
    public PagedKvCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, int blocks) {
        this(machine, dtype, layers, blocks, 0);
    }

    /** @param firstLayer the number that the first of the layers has in its model */
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
        /** The numbers that a token takes of both. */
        public long elements() {
            return groups * (features + valueFeatures);
        }
    }

    /** How many blocks so many tokens take. */
    public static int blocksOf(long tokens) {
        return Math.toIntExact(Math.ceilDiv(tokens, BLOCK_SIZE));
    }

    /** How many blocks no text has. */
    public synchronized int free() {
        int free = 0;
        for (int block = 1; block < blocks; block++) {
            free += holders[block] == 0 ? 1 : 0;
        }
        return free;
    }

    /** Takes blocks; where there are too few, none is taken. */
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

    /** A text that takes them ends, or lets go of them. */
    public synchronized void release(int[] these) {
        for (int block : these) {
            holders[block]--;
        }
    }

    /**
     * For a call over tokens of texts.
     *
     * @param table the blocks of each text, {@code [batch, blocks of a text]}, int64; 0 where it has none
     * @param positions of the tokens, {@code [batch, tokens]}
     */
    public KeyValues at(Tensor table, Tensor positions) {
        return new At(table, positions);
    }

    /**
     * Copies blocks onto others, all layers of them. Within a program.
     *
     * @param from {@code [count]}, int64
     * @param to as many others; what was there is gone
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
        /** Where the tokens go, {@code [batch · tokens]}. */
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

        /** Writes what was added; answers the pool by blocks. */
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
