package dev.outpost.runtime.plan;

/**
 * Counts the values that recent runs of a plan deferred, and how many of them were then requested. From this it
 * decides whether the next run stores them, which may cost less.
 */
public final class RecomputeStats {
    /** The number of requests below which values are deferred, because a program may read a value once or twice, but not in each run. */
    private static final int MIN_ASKED = 2;
    /** Values are stored if more than one in this number is requested. */
    private static final int MAX_ASKED_OF = 4;
    /** The number of rematerializations above which the counts are halved, so that older ones count less. */
    private static final int REMEMBERED = 64;
    /**
     * One of this number of runs that would store its values defers them instead, so that the counts show when clients no longer request
     * the values.
     */
    private static final int TRIAL = 16;

    private int left;
    private int asked;
    private int stored;

    /** Adds the number of rematerializations that a run created. */
    public synchronized void left(int recipes) {
        left += recipes;
        if (left > REMEMBERED) {
            left /= 2;
            asked /= 2;
        }
    }

    /** Counts a rematerialization when one of its values is requested for the first time. */
    public synchronized void asked() {
        asked++;
    }

    /**
     * Returns true if the next run should store the values that it could defer. Counts that run, so call this once
     * for each run.
     */
    public synchronized boolean decideToStore() {
        boolean isWanted = asked >= MIN_ASKED && asked * MAX_ASKED_OF > left;
        return isWanted && ++stored % TRIAL != 0;
    }
}
