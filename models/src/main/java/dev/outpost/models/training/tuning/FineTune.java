package dev.outpost.models.training.tuning;

import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.PeftFiles;
import dev.outpost.models.training.Checkpoints;
import dev.outpost.models.training.LanguageTask;
import dev.outpost.models.training.Trainer;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingSummary;
import dev.outpost.models.training.data.DataFile;
import dev.outpost.models.training.data.PrefetchedData;
import dev.outpost.models.training.data.TextData;
import dev.outpost.models.training.data.TextFormat;
import dev.outpost.models.training.data.TokenBatch;
import dev.outpost.models.training.metrics.LossCurve;
import dev.outpost.models.training.metrics.TrainingMetrics;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.LambdaLR;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Fine-tunes a language model from a configuration: loads it, resumes from a checkpoint if one exists, trains, and saves the
 * result.
 */
public final class FineTune {
    /** The number of tokens reserved for texts that a listener generates. Training needs none. */
    private static final long TEXT_TOKENS = 1024;

    private final RemoteMachine machine;
    private final FineTuneConfig config;
    private volatile boolean isStopping;
    private volatile @Nullable Trainer<TokenBatch> running;

    public FineTune(RemoteMachine machine, FineTuneConfig config) {
        this.machine = machine;
        this.config = config;
    }

    /**
     * The result of a fine-tune.
     *
     * @param training the result of training
     * @param result the location of the adapter or model; null if training was stopped
     */
    public record Result(TrainingSummary training, String result) {}

    /**
     * Ends training after the step under way, with a checkpoint. A run of the same configuration resumes from it. Any thread
     * may call it.
     */
    public void stop() {
        isStopping = true;
        Trainer<TokenBatch> trainer = running;
        if (trainer != null) {
            trainer.stop();
        }
    }

    /** Trains to the end, or until {@link #stop}. Waits until training has ended. */
    public Result run(List<TrainingListener> listeners) {
        FineTuneConfig.Training loop = config.training();
        machine.manualSeed(loop.seed());
        try (CausalLM model = CausalLM.load(
                        machine.open(config.model()),
                        config.dtype(),
                        TEXT_TOKENS,
                        config.quantize() == null ? null : Quantization.of(config.quantize()));
                PrefetchedData<TokenBatch> data = new PrefetchedData<>(
                        data(model, config.data().train(), config.data().shuffle()))) {
            int tokens = config.data().tokens();
            LoraAdapter adapter = config.lora() == null
                    ? null
                    : LoraAdapter.on(model.module(), config.lora().config());
            LanguageTask task =
                    adapter == null ? LanguageTask.whole(model, tokens) : LanguageTask.part(model, adapter, tokens);
            model.module().recomputesActivations(loop.recompute());
            Optimizer optimizer = optimizer(task.module().parameters());
            Trainer<TokenBatch> trainer = new Trainer<>(task, optimizer, data, loop.options())
                    .schedule(new LambdaLR(optimizer, step -> config.schedule().factor(step, loop.steps())))
                    .checkpoints(new Checkpoints(machine, config.output() + "/checkpoints", loop.keep()))
                    .evaluation(evaluation(model));
            return trained(model, adapter, trainer, listeners);
        }
    }

    private Result trained(
            CausalLM model, LoraAdapter adapter, Trainer<TokenBatch> trainer, List<TrainingListener> listeners) {
        TrainingSummary summary;
        try (TrainingMetrics metrics = config.logs() == null ? null : new TrainingMetrics(Path.of(config.logs()))) {
            if (metrics != null) {
                trainer.listener(metrics).listener(new LossCurve(Path.of(config.logs())));
            }
            listeners.forEach(trainer::listener);
            trainer.resume();
            running = trainer;
            if (isStopping) {
                trainer.stop();
            }
            summary = trainer.run();
        }
        return switch (summary.end()) {
            case STOPPED -> new Result(summary, null);
            case DONE -> new Result(summary, saved(model, adapter, summary.steps()));
            case NO_IMPROVEMENT -> new Result(summary, saved(model, adapter, trainer.restoreBest()));
        };
    }

    private Optimizer optimizer(List<Parameter> parameters) {
        FineTuneConfig.Adam adam = config.optimizer();
        return new AdamW(new ParameterGroup(parameters, adam.learningRate(), adam.weightDecay()))
                .betas(adam.beta1(), adam.beta2());
    }

    private TextData data(CausalLM model, String place, boolean isShuffled) {
        List<DataFile> files = DataFile.at(machine, place);
        boolean isText = config.data().format() == null
                ? files.getFirst().name().matches(".*\\.te?xt")
                : config.data().format() == FineTuneConfig.Format.TEXT;
        return new TextData(
                files,
                isText ? TextFormat.lines(model) : TextFormat.json(model),
                new TextData.Shape(
                        config.data().rows(),
                        config.data().tokens(),
                        config.data().pack()),
                isShuffled ? OptionalLong.of(config.data().seed()) : OptionalLong.empty());
    }

    private List<TokenBatch> evaluation(CausalLM model) {
        String place = config.data().evaluation();
        return place == null
                ? List.of()
                : data(model, place, false).epoch(config.training().evaluationBatches());
    }

    /** Saves the result in a location named by the step, so that a longer training writes another result. */
    private String saved(CausalLM model, LoraAdapter adapter, long step) {
        boolean isAdapter = adapter != null && !config.lora().merge();
        String place = String.format(Locale.ROOT, "%s/%s-%08d", config.output(), isAdapter ? "adapter" : "model", step);
        if (isThere(place)) {
            return place;
        }
        if (isAdapter) {
            PeftFiles.save(adapter, place, config.model()).join();
            return place;
        }
        if (adapter != null) {
            adapter.merge();
        }
        model.save(place);
        return place;
    }

    /** True if the result exists already, because the training was complete before. */
    private boolean isThere(String place) {
        try {
            return !machine.open(place).tensors().isEmpty();
        } catch (OutpostException ignored) {
            return false;
        }
    }
}
