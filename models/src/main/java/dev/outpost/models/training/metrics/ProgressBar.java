package dev.outpost.models.training.metrics;

import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.SavedCheckpoint;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingStep;
import dev.outpost.models.training.TrainingSummary;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * A line with step, loss, tokens per second and the time left. A terminal redraws it in place. In a file, a line is written from time to
 * time.
 */
public final class ProgressBar implements TrainingListener {
    private static final int CELLS = 24;
    private static final double SECONDS_BETWEEN_LINES = 10;
    private static final double SECONDS_BETWEEN_DRAWINGS = 0.1;

    private final PrintWriter out;
    private final boolean isTerminal;
    private long steps;
    private double lastSeconds = Double.NEGATIVE_INFINITY;
    private int width;
    private String evaluated = "";

    /** @param isTerminal true if a line can be redrawn in place */
    public ProgressBar(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    @Override
    public void began(long step, long all) {
        steps = all;
        if (step > 0) {
            out.println("going on behind step " + step + " of " + all);
            out.flush();
        }
    }

    @Override
    public void stepped(TrainingStep step) {
        double pause = isTerminal ? SECONDS_BETWEEN_DRAWINGS : SECONDS_BETWEEN_LINES;
        if (step.step() < steps && step.seconds() - lastSeconds < pause) {
            return;
        }
        lastSeconds = step.seconds();
        String line = line(step);
        if (isTerminal) {
            out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            width = line.length();
        } else {
            out.println(line);
        }
        out.flush();
    }

    private String line(TrainingStep step) {
        int done = (int) (CELLS * step.step() / steps);
        return String.format(
                Locale.ROOT,
                "%d/%d [%s%s] loss %.4f%s, %,.0f tokens/s, %s left",
                step.step(),
                steps,
                "#".repeat(done),
                "-".repeat(CELLS - done),
                step.loss(),
                evaluated,
                step.rate(),
                time(step.secondsLeft()));
    }

    private static String time(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    @Override
    public void evaluated(Evaluation evaluation) {
        evaluated = String.format(
                Locale.ROOT, ", evaluated %.4f%s", evaluation.loss(), evaluation.isBest() ? " (best)" : "");
    }

    @Override
    public void saved(SavedCheckpoint checkpoint) {
        if (!isTerminal) {
            out.println(String.format(
                    Locale.ROOT,
                    "checkpoint behind step %d: %s, training paused for %.1f ms",
                    checkpoint.step(),
                    checkpoint.uri(),
                    checkpoint.pause().toNanos() / 1e6));
            out.flush();
        }
    }

    @Override
    public void ended(TrainingSummary summary) {
        if (isTerminal) {
            out.println();
        }
        out.println(String.format(
                Locale.ROOT,
                "%s behind step %d%s",
                switch (summary.end()) {
                    case DONE -> "done";
                    case NO_IMPROVEMENT -> "ended, since evaluations became no better,";
                    case STOPPED -> "stopped";
                },
                summary.steps(),
                Double.isNaN(summary.bestLoss())
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; the best evaluation has a loss of %.4f, behind step %d",
                                summary.bestLoss(),
                                summary.bestStep())));
        out.flush();
    }
}
