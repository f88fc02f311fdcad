package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The keys and values of all texts of a model, in pages that any text can have (Kwon et al., 2023). A text takes the pages that
 * it needs and gives them back when it ends, so texts of any length share the memory. What is written goes where a page is: the
 * pool is never copied.
 *
 * <p>The table of pages and the positions are tensors, so a step has the same shapes however long the texts are. Thread-safe.
 */
final class PagePool implements AutoCloseable {
    /** Tokens of a page. */
    static final int PAGE = 16;

    private final int pages;
    /** By layer, {@code [pages · page size, groups, features]}. */
    private final List<Tensor> keys = new ArrayList<>();

    private final List<Tensor> values = new ArrayList<>();
    /** How many texts have a page. */
    private final int[] holders;
    /** What a page is remembered for, or null. */
    private final PrefixKey[] prefixOf;
    /** Pages by the beginning of a text, the one used longest ago first. */
    private final LinkedHashMap<PrefixKey, Integer> remembered = new LinkedHashMap<>();

    /** @param pages for texts; there is one more, which is nobody's, where padding goes */
    PagePool(RemoteMachine machine, DType dtype, List<HeadShape> layers, int pages) {
        this.pages = pages + 1;
        holders = new int[this.pages];
        prefixOf = new PrefixKey[this.pages];
        holders[0] = 1;
        long slots = (long) this.pages * PAGE;
        for (HeadShape layer : layers) {
            keys.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.features())));
            values.add(machine.unscoped(() -> machine.zeros(dtype, slots, layer.groups(), layer.valueFeatures())));
        }
    }

    /** What the keys and values of a layer are like. */
    record HeadShape(long groups, long features, long valueFeatures) {}

    /** How many pages so many tokens take. */
    static int pagesOf(long tokens) {
        return Math.toIntExact(Math.ceilDiv(tokens, PAGE));
    }

    /** How many pages no text has; some of them may be remembered for their beginning of a text. */
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
            while (next < pages && (holders[next] > 0 || prefixOf[next] != null)) {
                next++;
            }
            found[place] = next < pages ? next : forgetOldest();
            holders[found[place]] = 1;
        }
        return found;
    }

    /** A remembered page that no text has is used again. */
    private int forgetOldest() {
        for (PrefixKey key : remembered.keySet()) {
            int page = remembered.get(key);
            if (holders[page] == 0) {
                remembered.remove(key);
                prefixOf[page] = null;
                return page;
            }
        }
        throw new IllegalStateException("pages are free, and none is found");
    }

    /** A text that takes them ends, or lets go of them. */
    synchronized void giveBack(int[] these) {
        for (int page : these) {
            holders[page]--;
        }
    }

    // ---- beginnings of texts

    /**
     * Takes the pages that hold the beginning of a text already, as many as there are.
     *
     * @param keys of the text's pages, in order
     */
    synchronized int[] takeRemembered(List<PrefixKey> keys) {
        List<Integer> found = new ArrayList<>();
        for (PrefixKey key : keys) {
            Integer page = remembered.get(key);
            if (page == null) {
                break;
            }
            found.add(page);
            holders[page]++;
        }
        // The end of it is forgotten first.
        for (int place = found.size() - 1; place >= 0; place--) {
            remembered.putLast(keys.get(place), found.get(place));
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Pages that are full, and written by what was enqueued so far, can be found by other texts from here on. */
    synchronized void remember(List<PrefixKey> keys, int[] these) {
        for (int place = keys.size() - 1; place >= 0; place--) {
            Integer known = remembered.get(keys.get(place));
            if (known != null) {
                remembered.putLast(keys.get(place), known);
            } else if (prefixOf[these[place]] == null) {
                prefixOf[these[place]] = keys.get(place);
                remembered.putLast(keys.get(place), these[place]);
            }
        }
    }

    /** What the tokens of a text's first pages are, each with all before it. */
    static List<PrefixKey> keysOf(int[] tokens, int fullPages) {
        List<PrefixKey> keys = new ArrayList<>();
        PrefixKey before = null;
        for (int page = 0; page < fullPages; page++) {
            before = new PrefixKey(before, Arrays.copyOfRange(tokens, page * PAGE, (page + 1) * PAGE));
            keys.add(before);
        }
        return keys;
    }

    /** The tokens of a page and of all before it. */
    static final class PrefixKey {
        private final PrefixKey before;
        private final int[] tokens;
        private final int hash;

        PrefixKey(PrefixKey before, int[] tokens) {
            this.before = before;
            this.tokens = tokens;
            this.hash = Arrays.hashCode(tokens) + 31 * (before == null ? 7 : before.hash);
        }

        @Override
        public boolean equals(Object other) {
            PrefixKey mine = this;
            PrefixKey its = other instanceof PrefixKey key ? key : null;
            while (mine != null && its != null && mine != its) {
                if (mine.hash != its.hash || !Arrays.equals(mine.tokens, its.tokens)) {
                    return false;
                }
                mine = mine.before;
                its = its.before;
            }
            return mine == its;
        }

        @Override
        public int hashCode() {
            return hash;
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
                    put(keys.get(layer), key),
                    put(values.get(layer), value),
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
