package dev.outpost.models.training;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** How a {@link Trainer} works. Not thread-safe. */
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

    /** With this many steps of the optimizer altogether. */
    public static TrainerOptions steps(long steps) {
        return new TrainerOptions(steps);
    }

    /** How many batches a step's gradient is of; 1 unless set. Equal to one batch with all of them, at the memory of one. */
    public TrainerOptions accumulation(int batches) {
        accumulation = (int) atLeast(1, batches, "accumulation");
        return this;
    }

    /** Scales gradients so that their norm is at most this; 0, the standard, leaves them. */
    public TrainerOptions clipNorm(double norm) {
        if (!(norm >= 0)) {
            throw problem("clip norm", "a norm from 0 on", norm);
        }
        clipNorm = norm;
        return this;
    }

    /** The dtype of products; float32 unless set. */
    public TrainerOptions precision(ComputePrecision newPrecision) {
        precision = newPrecision;
        return this;
    }

    /** Evaluates behind every so many steps, and behind the last; 0, the standard, only behind the last. */
    public TrainerOptions evaluateEvery(long newSteps) {
        evaluateEvery = atLeast(0, newSteps, "steps between evaluations");
        return this;
    }

    /** Ends training when so many evaluations in a row were no better than the best; 0, the standard, never does. */
    public TrainerOptions patience(int evaluations) {
        patience = (int) atLeast(0, evaluations, "patience");
        return this;
    }

    /** Writes a checkpoint behind every so many steps, and behind the last; 0, the standard, only behind the last. */
    public TrainerOptions checkpointEvery(long newSteps) {
        checkpointEvery = atLeast(0, newSteps, "steps between checkpoints");
        return this;
    }

    /** How many steps may be under way before the loss of an earlier one is read; 2 unless set. More for a machine that is far. */
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
