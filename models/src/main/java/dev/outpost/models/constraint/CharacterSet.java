package dev.outpost.models.constraint;

import java.util.Arrays;
import java.util.List;

/** A set of Unicode characters as sorted ranges. It never contains surrogates, which are not characters of a text. Immutable. */
final class CharacterSet {
    static final CharacterSet ANY = ofRanges(0, Character.MAX_CODE_POINT);

    private static final int BEFORE_SURROGATES = Character.MIN_SURROGATE - 1;
    private static final int BEHIND_SURROGATES = Character.MAX_SURROGATE + 1;

    /** The first and the last character of each range. */
    private final int[] bounds;

    private CharacterSet(int[] bounds) {
        this.bounds = bounds;
    }

    /** @param bounds first and last character of each range, in any order */
    static CharacterSet ofRanges(int... bounds) {
        long[] ranges = new long[bounds.length];
        int count = 0;
        for (int place = 0; place < bounds.length; place += 2) {
            int first = bounds[place];
            int last = bounds[place + 1];
            if (first <= BEFORE_SURROGATES) {
                ranges[count++] = range(first, Math.min(last, BEFORE_SURROGATES));
            }
            if (last >= BEHIND_SURROGATES) {
                ranges[count++] = range(Math.max(first, BEHIND_SURROGATES), last);
            }
        }
        Arrays.sort(ranges, 0, count);
        int[] merged = new int[2 * count];
        int size = 0;
        for (int place = 0; place < count; place++) {
            int first = (int) (ranges[place] >> Integer.SIZE);
            int last = (int) ranges[place];
            if (size > 0 && first <= merged[size - 1] + 1) {
                merged[size - 1] = Math.max(merged[size - 1], last);
            } else {
                merged[size++] = first;
                merged[size++] = last;
            }
        }
        return new CharacterSet(Arrays.copyOf(merged, size));
    }

    private static long range(int first, int last) {
        return (long) first << Integer.SIZE | last;
    }

    /** @param bounds first and last character of each range */
    static CharacterSet of(String bounds) {
        return ofRanges(bounds.chars().toArray());
    }

    static CharacterSet union(List<CharacterSet> sets) {
        return sets.size() == 1
                ? sets.getFirst()
                : ofRanges(sets.stream()
                        .flatMapToInt(set -> Arrays.stream(set.bounds))
                        .toArray());
    }

    CharacterSet others() {
        int[] others = new int[bounds.length + 2];
        int size = 0;
        int first = 0;
        for (int place = 0; place < bounds.length; place += 2) {
            if (first < bounds[place]) {
                others[size++] = first;
                others[size++] = bounds[place] - 1;
            }
            first = bounds[place + 1] + 1;
        }
        if (first <= Character.MAX_CODE_POINT) {
            others[size++] = first;
            others[size++] = Character.MAX_CODE_POINT;
        }
        return ofRanges(Arrays.copyOf(others, size));
    }

    int ranges() {
        return bounds.length / 2;
    }

    int first(int range) {
        return bounds[2 * range];
    }

    int last(int range) {
        return bounds[2 * range + 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CharacterSet set && Arrays.equals(bounds, set.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }
}
