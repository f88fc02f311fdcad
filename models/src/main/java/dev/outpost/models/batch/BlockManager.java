package dev.outpost.models.batch;

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
 * Which pages are whose. Texts that begin alike share the pages of what they have in common, since keys and values depend on
 * the tokens before alone; a page that no text has any more is kept for one to come, until its room is needed. Prefixes are
 * compared token by token, so none is taken for another. One thread at a time.
 */
final class BlockManager {
    /** The number of the empty prefix of texts without an adapter; those of adapters are below it. */
    static final long ROOT = 0;

    /** A whole page of tokens behind a prefix. */
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

    private record Prefix(long number, Key key, int page) {}

    private final int pageTokens;
    private final int count;
    private final int[] users;
    private final Prefix[] prefixOfPage;
    private final Deque<Integer> free = new ArrayDeque<>();
    /** Known pages that no text has, the least recently used first. */
    private final SequencedSet<Integer> idle = new LinkedHashSet<>();

    private final Map<Key, Prefix> prefixes = new HashMap<>();
    private long lastNumber = ROOT;

    /** @param pages are numbered from 1 to it */
    BlockManager(int pages, int pageTokens) {
        this.pageTokens = pageTokens;
        count = pages;
        users = new int[pages + 1];
        prefixOfPage = new Prefix[pages + 1];
        for (int page = 1; page <= pages; page++) {
            free.add(page);
        }
    }

    int pages() {
        return count;
    }

    int pageTokens() {
        return pageTokens;
    }

    /** How many pages no text has. */
    int available() {
        return free.size() + idle.size();
    }

    int pagesFor(int tokens) {
        return Math.ceilDiv(tokens, pageTokens);
    }

    /** How many pages a text would share, and how many of those no text has at present. */
    record Match(int pages, int idlePages) {}

    Match match(Sequence sequence) {
        int shared = 0;
        int idlePages = 0;
        for (Prefix prefix : known(sequence)) {
            shared++;
            idlePages += users[prefix.page] == 0 ? 1 : 0;
        }
        return new Match(shared, idlePages);
    }

    /** Gives a text without pages those that are computed already. One of its tokens at least remains to be computed. */
    void allocate(Sequence sequence) {
        for (Prefix prefix : known(sequence)) {
            use(prefix.page);
            sequence.pages.add(prefix.page);
            sequence.prefix = prefix.number;
            sequence.registered++;
        }
        sequence.computed = sequence.registered * pageTokens;
    }

    private List<Prefix> known(Sequence sequence) {
        List<Prefix> found = new ArrayList<>();
        long before = sequence.root();
        for (int end = pageTokens; end < sequence.known(); end += pageTokens) {
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
        return new Key(before, Arrays.copyOfRange(sequence.tokens(), end - pageTokens, end));
    }

    private void use(int page) {
        if (users[page]++ == 0) {
            idle.remove(page);
        }
    }

    /** Gives a text pages for so many tokens; false, and nothing taken, where there are too few. */
    boolean append(Sequence sequence, int tokens) {
        int wanted = pagesFor(tokens) - sequence.pages.size();
        if (wanted > available()) {
            return false;
        }
        for (int page = 0; page < wanted; page++) {
            int taken = take();
            users[taken] = 1;
            sequence.pages.add(taken);
        }
        return true;
    }

    private int take() {
        Integer page = free.poll();
        if (page != null) {
            return page;
        }
        int oldest = idle.removeFirst();
        prefixes.remove(prefixOfPage[oldest].key);
        prefixOfPage[oldest] = null;
        return oldest;
    }

    /** Makes the pages of a text that are full of tokens that were read and computed known to others. */
    void cache(Sequence sequence) {
        int whole = Math.min(sequence.computed, sequence.known()) / pageTokens;
        while (sequence.registered < whole) {
            Key key = key(sequence, sequence.prefix, (sequence.registered + 1) * pageTokens);
            Prefix prefix = prefixes.get(key);
            if (prefix == null) {
                int page = sequence.pages.get(sequence.registered);
                prefix = new Prefix(++lastNumber, key, page);
                prefixes.put(key, prefix);
                prefixOfPage[page] = prefix;
            }
            sequence.prefix = prefix.number;
            sequence.registered++;
        }
    }

    /** Takes all its pages from a text. The last first, so that beginnings are kept for longest. */
    void release(Sequence sequence) {
        for (int page : sequence.pages.reversed()) {
            if (--users[page] == 0) {
                if (prefixOfPage[page] == null) {
                    free.addFirst(page);
                } else {
                    idle.add(page);
                }
            }
        }
        sequence.pages.clear();
    }
}
