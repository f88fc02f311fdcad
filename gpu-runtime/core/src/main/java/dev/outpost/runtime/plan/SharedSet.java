package dev.outpost.runtime.plan;

import java.util.Arrays;

/**
 * A growing set of small numbers that shares memory with the sets that were added to it. It consists of immutable
 * pages, and two sets that have grown from one share most of them. So the ancestors of each node of a deep graph take
 * little memory, and adding such a set to another compares one page at a time.
 */
final class SharedSet {
    private static final int WORDS = 8;
    private static final int BITS = WORDS * Long.SIZE;
    private static final long[][] NO_PAGES = {};

    /** The pages by number; null for an empty page. */
    private long[][] pages = NO_PAGES;

    boolean contains(int number) {
        int page = number / BITS;
        return page < pages.length && pages[page] != null && (word(pages[page], number) >>> number & 1) != 0;
    }

    private static long word(long[] page, int number) {
        return page[number % BITS / Long.SIZE];
    }

    void add(int number) {
        int page = number / BITS;
        reserve(page + 1);
        long[] changed = pages[page] == null ? new long[WORDS] : pages[page].clone();
        changed[number % BITS / Long.SIZE] |= 1L << number;
        pages[page] = changed;
    }

    /** Adds all numbers of another set. Returns true if the set has grown. */
    boolean addAll(SharedSet other) {
        reserve(other.pages.length);
        boolean isChanged = false;
        for (int page = 0; page < other.pages.length; page++) {
            long[] both = union(pages[page], other.pages[page]);
            isChanged |= both != pages[page] && !Arrays.equals(both, pages[page]);
            pages[page] = both;
        }
        return isChanged;
    }

    /**
     * Returns one of the pages if it contains the other. Of equal pages it returns the second, so that both sets share
     * it from then on.
     */
    private static long[] union(long[] own, long[] added) {
        if (own == added || added == null) {
            return own;
        }
        if (own == null) {
            return added;
        }
        boolean isOwnAll = true;
        boolean isAddedAll = true;
        for (int word = 0; word < WORDS; word++) {
            isOwnAll &= (added[word] & ~own[word]) == 0;
            isAddedAll &= (own[word] & ~added[word]) == 0;
        }
        return isAddedAll ? added : isOwnAll ? own : mixed(own, added);
    }

    private static long[] mixed(long[] own, long[] added) {
        long[] both = own.clone();
        for (int word = 0; word < WORDS; word++) {
            both[word] |= added[word];
        }
        return both;
    }

    private void reserve(int count) {
        if (count > pages.length) {
            pages = Arrays.copyOf(pages, count);
        }
    }
}
