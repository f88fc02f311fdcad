package dev.outpost.inference;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Assigns the blocks of the pool to texts. Texts with a common prefix share its blocks, because keys and values
 * depend only on the tokens before them. A full block that no text uses any more stays cached until another text
 * needs a block. Prefixes are compared token by token, so two different prefixes are never confused. Not thread-safe.
 */
final class BlockManager {
    /**
     * The number of the empty prefix for texts without an adapter. The empty prefixes of adapters have lower numbers.
     */
    static final long ROOT = 0;

    /** A full block of tokens that follows a prefix. */
    private record Key(long before, int[] tokens) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && before == key.before && Arrays.equals(tokens, key.tokens);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(before) * 31 + Arrays.hashCode(tokens);
        }
    }

    private record Prefix(long number, Key key, int block) {}

    private final int blockSize;
    private final int count;
    private final int[] users;
    private final Prefix[] prefixOfBlock;
    private final Deque<Integer> free = new ArrayDeque<>();
    /** Cached blocks that no text uses, the least recently used first. */
    private final SequencedSet<Integer> idle = new LinkedHashSet<>();

    private final Map<Key, Prefix> prefixes = new HashMap<>();
    private long lastNumber = ROOT;

    /** @param blocks the number of blocks; they are numbered from 1 */
    BlockManager(int blocks, int blockSize) {
        this.blockSize = blockSize;
        count = blocks;
        users = new int[blocks + 1];
        prefixOfBlock = new Prefix[blocks + 1];
        for (int block = 1; block <= blocks; block++) {
            free.add(block);
        }
    }

    int numBlocks() {
        return count;
    }

    int blockSize() {
        return blockSize;
    }

    /** Returns the number of blocks that no text uses, including cached ones. */
    int available() {
        return free.size() + idle.size();
    }

    int blocksFor(int tokens) {
        return Math.ceilDiv(tokens, blockSize);
    }

    /** The numbers of cached blocks that a text would share, and of those that no text uses at present. */
    record Match(int blocks, int idleBlocks) {}

    Match match(Sequence sequence) {
        int shared = 0;
        int idleBlocks = 0;
        for (Prefix prefix : known(sequence)) {
            shared++;
            idleBlocks += users[prefix.block] == 0 ? 1 : 0;
        }
        return new Match(shared, idleBlocks);
    }

    /** Assigns the cached blocks of its prefix to a text without blocks. Leaves at least one token to compute. */
    void allocate(Sequence sequence) {
        for (Prefix prefix : known(sequence)) {
            use(prefix.block);
            sequence.blockTable.add(prefix.block);
            sequence.prefix = prefix.number;
            sequence.registered++;
        }
        sequence.numComputedTokens = sequence.registered * blockSize;
    }

    private List<Prefix> known(Sequence sequence) {
        List<Prefix> found = new ArrayList<>();
        long before = sequence.root();
        for (int end = blockSize; end < sequence.known(); end += blockSize) {
            Prefix prefix = prefixes.get(key(sequence, before, end));
            if (prefix == null) {
                break;
            }
            found.add(prefix);
            before = prefix.number;
        }
        return found;
    }

    private Key key(Sequence sequence, long before, int end) {
        return new Key(before, Arrays.copyOfRange(sequence.tokens(), end - blockSize, end));
    }

    private void use(int block) {
        if (users[block]++ == 0) {
            idle.remove(block);
        }
    }

    /**
     * Assigns to a text the blocks for {@code tokens} tokens. Returns false and assigns none if too few are
     * available.
     */
    boolean append(Sequence sequence, int tokens) {
        int wanted = blocksFor(tokens) - sequence.blockTable.size();
        if (wanted > available()) {
            return false;
        }
        for (int block = 0; block < wanted; block++) {
            int taken = take();
            users[taken] = 1;
            sequence.blockTable.add(taken);
        }
        return true;
    }

    private int take() {
        Integer block = free.poll();
        if (block != null) {
            return block;
        }
        int oldest = idle.removeFirst();
        prefixes.remove(prefixOfBlock[oldest].key);
        prefixOfBlock[oldest] = null;
        return oldest;
    }

    /** Adds the full blocks of a text, whose tokens were read and computed, to the prefix cache. */
    void cache(Sequence sequence) {
        int whole = Math.min(sequence.numComputedTokens, sequence.known()) / blockSize;
        while (sequence.registered < whole) {
            Key key = key(sequence, sequence.prefix, (sequence.registered + 1) * blockSize);
            Prefix prefix = prefixes.get(key);
            if (prefix == null) {
                int block = sequence.blockTable.get(sequence.registered);
                prefix = new Prefix(++lastNumber, key, block);
                prefixes.put(key, prefix);
                prefixOfBlock[block] = prefix;
            }
            sequence.prefix = prefix.number;
            sequence.registered++;
        }
    }

    /**
     * Releases all blocks of a text. Releases the last block first, so that the beginnings of texts stay cached
     * longest.
     */
    void release(Sequence sequence) {
        for (int block : sequence.blockTable.reversed()) {
            if (--users[block] == 0) {
                if (prefixOfBlock[block] == null) {
                    free.addFirst(block);
                } else {
                    idle.add(block);
                }
            }
        }
        sequence.blockTable.clear();
    }
}
