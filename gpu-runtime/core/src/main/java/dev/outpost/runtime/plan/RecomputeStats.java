package dev.outpost.runtime.plan;

/**
 * Counts how many of the values that a plan's runs did not store were rematerialized lately, to decide whether storing
 * costs less.
 */
public final class RecomputeStats {
    /** The fewest requests that count: a program may be inspected once or twice without doing so in each run. */
    private static final int MIN_ASKED = 2;
    /** Values are stored if more than one in this number is requested. */
    private static final int MAX_ASKED_OF = 4;
    /** Beyond this number of rematerializations older counts are halved. */
    private static final int REMEMBERED = 64;
    /**
     * Of the runs that store, one in this many does not store, so that the counts show when values are no longer
     * needed.
     */
    private static final int TRIAL = 16;

    private int left;
    private int asked;
    private int stored;

    /** Adds the number of rematerializations that a run left. */
    public synchronized void left(int recipes) {
        left += recipes;
        if (left > REMEMBERED) {
            left /= 2;
            asked /= 2;
        }
    }

    /** Counts a rematerialization that was needed for the first time. */
    public synchronized void asked() {
        asked++;
    }

    /** Decides whether the next run stores the values that it could defer. Counts that run, so call it once a run. */
    public synchronized boolean decideToStore() {
        boolean isWanted = asked >= MIN_ASKED && asked * MAX_ASKED_OF > left;
        return isWanted && ++stored % TRIAL != 0;
    }
}
