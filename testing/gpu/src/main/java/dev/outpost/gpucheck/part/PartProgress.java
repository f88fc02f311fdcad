package dev.outpost.gpucheck.part;

/**
 * The progress of the cases of a part.
 *
 * @param done the number of tried cases, in this run and in earlier ones
 * @param total the number of all cases
 */
public record PartProgress(long done, long total) {
    /** A part that has no cases. */
    public static final PartProgress WHOLE = new PartProgress(1, 1);

    public boolean isComplete() {
        return done >= total;
    }

    /** The end of a sentence on what was tried: how many cases are left, and how to go on; empty where none is left. */
    public String left() {
        return isComplete() ? "" : "; " + describe();
    }

    /** How many cases are left, and how to go on. */
    public String describe() {
        return "the time was over, %d of %d are left: go on with --from %d".formatted(total - done, total, done);
    }
}
