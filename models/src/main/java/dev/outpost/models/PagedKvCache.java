package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys and values of all texts of a model, in pages that any text can have (Kwon et al., 2023). A text takes the pages that
 * it needs and gives them back when it ends, so texts of any length share the memory. What is written goes where a page is: the
 * pool is never copied.
 *
 * <p>The table of pages and the positions are tensors, so a step has the same shapes however long the texts are. Thread-safe.
 */
final class PagedKvCache implements AutoCloseable {
    /** Tokens of a page. */
    static final int PAGE = 16;

    private final int pages;
    private final int firstLayer;
    /** By layer, {@code [pages · page size, groups, features]}. */
    private final List<Tensor> keys = new ArrayList<>();

    private final List<Tensor> values = new ArrayList<>();
    /** How many texts have a page. */
    private final int[] holders;
    /** @param pages for texts; there is one more, which is nobody's, where padding goes */
    PagedKvCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, int pages) {
        this(machine, dtype, layers, pages, 0);
    }

    /** @param firstLayer the number that the first of the layers has in its model */
    PagedKvCache(RemoteMachine machine, DType dtype, List<HeadShape> layers, int pages, int firstLayer) {
        this.pages = pages + 1;
        this.firstLayer = firstLayer;
        holders = new int[this.pages];
        holders[0] = 1;
        long slots = (long) this.pages * PAGE;
        for (HeadShape layer : layers) {
            keys.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.features())));
            values.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.valueFeatures())));
        }
    }

    /** The shape of the keys and values of a layer. */
    record HeadShape(long groups, long features, long valueFeatures) {
        /** The numbers that a token takes of both. */
        long elements() {
            return groups * (features + valueFeatures);
        }
    }

    /** How many pages so many tokens take. */
    static int pagesOf(long tokens) {
        return Math.toIntExact(Math.ceilDiv(tokens, PAGE));
    }

    /** How many pages no text has. */
    synchronized int free() {
        int free = 0;
        for (int page = 1; page < pages; page++) {
            free += holders[page] == 0 ? 1 : 0;
        }
        return free;
    }

    /** Takes pages; where there are too few, none is taken. */
    synchronized int[] take(int count) {
        if (free() < count) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "generate: " + count + " pages of " + PAGE + " tokens are needed, and " + free() + " of "
                            + (pages - 1) + " are free; end other texts, ask for fewer tokens, or load the model with"
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
    synchronized void release(int[] these) {
        for (int page : these) {
            holders[page]--;
        }
    }

    /**
     * For a call over tokens of texts.
     *
     * @param table the pages of each text, {@code [batch, pages of a text]}, int64; 0 where it has none
     * @param positions of the tokens, {@code [batch, tokens]}
     */
    KeyValues at(Tensor table, Tensor positions) {
        return new At(table, positions);
    }

    /**
     * Copies pages onto others, all layers of them. Within a program.
     *
     * @param from {@code [count]}, int64
     * @param to as many others; what was there is gone
     */
    void copyPages(Tensor from, Tensor to) {
        for (List<Tensor> pools : List.of(keys, values)) {
            for (Tensor pool : pools) {
                Tensor byPage = pool.reshape(pages, PAGE, pool.size(1), pool.size(2));
                byPage.indexCopy_(0, to, byPage.indexSelect(0, from));
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
            Tensor page = table.gather(1, positions.floorDivide(PAGE));
            slots = page.mul(PAGE).add(positions.remainder(PAGE)).reshape(-1);
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

        /** Writes what was added; answers the pool by pages. */
        private Tensor put(Tensor pool, Tensor added) {
            Tensor byToken = added.transpose(1, 2).reshape(-1, added.size(1), added.size(3));
            pool.indexCopy_(0, slots, byToken);
            return pool.reshape(pages, PAGE, pool.size(1), pool.size(2));
        }
    }

    @Override
    public void close() {
        keys.forEach(Tensor::close);
        values.forEach(Tensor::close);
    }
}
