package dev.outpost.gpucheck.part;

/**
 * The progress of the cases of a part.
 *
 * @param done the number of tried cases, in this run and in earlier ones
 * @param total the number of all cases
 */
public record PartProgress(long done, long total) {
    /** The progress of a part without cases. */
    public static final PartProgress WHOLE = new PartProgress(1, 1);

    public boolean isComplete() {
        return done >= total;
    }

    /**
     * Returns the end of a sentence about the tried cases: the number of cases that are left, and how to continue; empty if none is left.
     */
    public String left() {
        return isComplete() ? "" : "; " + describe();
    }

    /** Returns the number of cases that are left, and how to continue. */
    public String describe() {
        return "the time was over, %d of %d are left: go on with --from %d".formatted(total - done, total, done);
    }
}
