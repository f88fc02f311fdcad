package dev.outpost.models.training.metrics;

import dev.outpost.metrics.ProgressBar;
import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.SavedCheckpoint;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingStep;
import dev.outpost.models.training.TrainingSummary;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows the progress of training by a {@link ProgressBar}: loss, evaluation, tokens per second and the time left. */
public final class TrainingProgress implements TrainingListener {
    private final PrintWriter out;
    private final boolean isTerminal;
    private ProgressBar bar;

    /** @param isTerminal true if a line can be redrawn in place */
    public TrainingProgress(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    @Override
    public void began(long step, long all) {
        bar = new ProgressBar(all, out, isTerminal).unit("tokens").resume(step);
        if (step > 0) {
            out.println("continuing after step " + step + " of " + all);
            out.flush();
        }
    }

    @Override
    public void stepped(TrainingStep step) {
        bar.show("loss", step.loss()).step(step.size());
    }

    @Override
    public void evaluated(Evaluation evaluation) {
        bar.show(evaluation.isBest() ? "evaluated (best)" : "evaluated", evaluation.loss());
        bar.hide(evaluation.isBest() ? "evaluated" : "evaluated (best)");
    }

    @Override
    public void saved(SavedCheckpoint checkpoint) {
        if (!isTerminal) {
            bar.message(String.format(
                    Locale.ROOT,
                    "checkpoint after step %d: %s, training paused for %.1f ms",
                    checkpoint.step(),
                    checkpoint.uri(),
                    checkpoint.pause().toNanos() / 1e6));
        }
    }

    @Override
    public void ended(TrainingSummary summary) {
        bar.close();
        out.println(String.format(
                Locale.ROOT,
                "%s after step %d%s",
                switch (summary.end()) {
                    case DONE -> "done";
                    case NO_IMPROVEMENT -> "ended, because evaluations did not improve,";
                    case STOPPED -> "stopped";
                },
                summary.steps(),
                Double.isNaN(summary.bestLoss())
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; the best evaluation has a loss of %.4f, after step %d",
                                summary.bestLoss(),
                                summary.bestStep())));
        out.flush();
    }
}
