package dev.outpost.models.training;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** The options of a {@link Trainer}. Not thread-safe. */
public final class TrainerOptions {
    private final long steps;
    private int accumulation = 1;
    private double clipNorm;
    private ComputePrecision precision = ComputePrecision.FLOAT32;
    private long evaluateEvery;
    private int patience;
    private long checkpointEvery;
    private int ahead = 2;

    private TrainerOptions(long steps) {
        this.steps = atLeast(1, steps, "steps");
    }

    /** Returns options with a total number of optimizer steps. */
    public static TrainerOptions steps(long steps) {
        return new TrainerOptions(steps);
    }

    /**
     * Sets the number of batches for the gradient of a step; 1 by default. The result equals that of one large batch, and needs only the
     * memory of a small one.
     */
    public TrainerOptions accumulation(int batches) {
        accumulation = (int) atLeast(1, batches, "accumulation");
        return this;
    }

    /** Sets the largest norm of the gradients, which are scaled down to it; 0, the default, does not scale them. */
    public TrainerOptions clipNorm(double norm) {
        if (!(norm >= 0)) {
            throw problem("clip norm", "a norm from 0 on", norm);
        }
        clipNorm = norm;
        return this;
    }

    /** Sets the dtype of products; float32 by default. */
    public TrainerOptions precision(ComputePrecision newPrecision) {
        precision = newPrecision;
        return this;
    }

    /** Evaluates each time after this number of steps, and after the last step; 0, the default, only after the last. */
    public TrainerOptions evaluateEvery(long newSteps) {
        evaluateEvery = atLeast(0, newSteps, "steps between evaluations");
        return this;
    }

    /** Ends training after this number of evaluations in a row without an improvement; 0, the default, never does. */
    public TrainerOptions patience(int evaluations) {
        patience = (int) atLeast(0, evaluations, "patience");
        return this;
    }

    /**
     * Writes a checkpoint each time after this number of steps, and after the last step; 0, the default, only after the last.
     */
    public TrainerOptions checkpointEvery(long newSteps) {
        checkpointEvery = atLeast(0, newSteps, "steps between checkpoints");
        return this;
    }

    /**
     * Sets the number of steps that may be under way before the loss of an earlier step is read; 2 by default. Use more for a distant
     * machine.
     */
    public TrainerOptions ahead(int newSteps) {
        ahead = (int) atLeast(0, newSteps, "steps ahead");
        return this;
    }

    private static long atLeast(long min, long value, String what) {
        if (value < min) {
            throw problem(what, "at least " + min, value);
        }
        return value;
    }

    private static OutpostException problem(String what, String expected, Object value) {
        return new OutpostException(FaultKind.USER, "trainer: " + what + ": expected " + expected + ", got " + value);
    }

    public long steps() {
        return steps;
    }

    int accumulation() {
        return accumulation;
    }

    double clipNorm() {
        return clipNorm;
    }

    ComputePrecision precision() {
        return precision;
    }

    int patience() {
        return patience;
    }

    int ahead() {
        return ahead;
    }

    boolean evaluatesBehind(long step) {
        return isDue(evaluateEvery, step);
    }

    boolean savesBehind(long step) {
        return isDue(checkpointEvery, step);
    }

    private boolean isDue(long every, long step) {
        return step == steps || every > 0 && step % every == 0;
    }
}
