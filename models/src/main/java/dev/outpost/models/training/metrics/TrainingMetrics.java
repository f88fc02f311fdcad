package dev.outpost.models.training.metrics;

import dev.outpost.metrics.Metrics;
import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.SavedCheckpoint;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingStep;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the events of training to a folder of this host, by {@link Metrics}: steps, evaluations and checkpoints. If training resumes, the
 * lines of later steps are removed first, so the lines of steps equal those of an uninterrupted run, except times and rates.
 */
public final class TrainingMetrics implements TrainingListener, AutoCloseable {
    static final String LOSS = "loss";
    static final String EVALUATION_LOSS = "evaluation_loss";

    private final Path folder;
    private Metrics metrics;

    /** @param folder created if it does not exist */
    public TrainingMetrics(Path folder) {
        this.folder = folder;
    }

    @Override
    public void began(long step, long all) {
        metrics = Metrics.resume(folder, step);
    }

    @Override
    public void stepped(TrainingStep step) {
        Map<String, Number> values = new LinkedHashMap<>();
        values.put("epoch", step.epoch());
        values.put(LOSS, step.loss());
        values.put("gradient_norm", step.gradientNorm());
        values.put("learning_rate", step.learningRate());
        values.put("tokens", step.size());
        values.put("seconds", step.seconds());
        values.put("tokens_per_second", step.rate());
        if (Double.isNaN(step.gradientNorm())) {
            values.remove("gradient_norm");
        }
        if (Double.isNaN(step.rate())) {
            values.remove("tokens_per_second");
        }
        metrics.log(step.step(), values);
    }

    @Override
    public void evaluated(Evaluation evaluation) {
        Map<String, Number> values = new LinkedHashMap<>();
        values.put(EVALUATION_LOSS, evaluation.loss());
        values.put("perplexity", evaluation.perplexity());
        metrics.log(evaluation.step(), values);
    }

    @Override
    public void saved(SavedCheckpoint checkpoint) {
        Map<String, Number> values = new LinkedHashMap<>();
        values.put("checkpoint_bytes", checkpoint.bytes());
        values.put("checkpoint_pause_seconds", checkpoint.pause().toNanos() / 1e9);
        values.put("checkpoint_seconds", checkpoint.time().toNanos() / 1e9);
        metrics.log(checkpoint.step(), values);
    }

    @Override
    public void close() {
        if (metrics != null) {
            metrics.close();
        }
    }
}
