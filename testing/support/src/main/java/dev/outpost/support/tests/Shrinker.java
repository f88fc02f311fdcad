package dev.outpost.support.tests;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a list that shows a defect as short as possible by leaving out parts: first halves, finally single elements. Not
 * thread-safe.
 *
 * @param <T> the type of the elements
 */
public final class Shrinker<T> {
    private final Predicate<List<T>> shows;
    private int trials;

    /**
     * @param maxTrials the most lists to try
     * @param shows returns true if a list still shows the defect
     */
    public Shrinker(int maxTrials, Predicate<List<T>> shows) {
        this.trials = maxTrials;
        this.shows = shows;
    }

    /** Returns the shortest list that was found; the given one if no shorter one shows the defect. */
    public List<T> shrink(List<T> all) {
        List<T> shorter = all;
        int before;
        do {
            before = shorter.size();
            for (int part = Math.max(1, shorter.size() / 2); part >= 1; part /= 2) {
                shorter = without(shorter, part);
            }
        } while (shorter.size() < before && trials > 0);
        return shorter;
    }

    /** Leaves out each part of a size that is not needed, beginning at the end. */
    private List<T> without(List<T> all, int part) {
        List<T> shorter = all;
        for (int from = shorter.size() - part; from > -part && trials > 0; from -= part) {
            List<T> candidate = new ArrayList<>(shorter);
            candidate.subList(Math.max(0, from), from + part).clear();
            trials--;
            if (shows.test(candidate)) {
                shorter = candidate;
            }
        }
        return shorter;
    }
}
