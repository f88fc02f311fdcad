package dev.outpost.models.training;

import dev.outpost.Generator;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.metrics.StepRate;
import dev.outpost.models.training.data.TrainingData;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.LearningRateSchedule;
import dev.outpost.optim.Optimizer;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The training loop: batches, gradients, optimizer steps, evaluations and checkpoints. The results of a resumed run have the same bits as
 * the results of an uninterrupted run.
 *
 * <pre>{@code
 * Trainer<TokenBatch> trainer = new Trainer<>(task, optimizer, data, TrainerOptions.steps(1000).clipNorm(1))
 *         .schedule(schedule)
 *         .checkpoints(new Checkpoints(machine, "s3://bucket/run", 3));
 * trainer.resume();
 * trainer.run();
 * }</pre>
 *
 * <p>Used by one thread, except {@link #stop}, which any thread may call. Draws from the machine's random stream.
 *
 * @param <B> a batch on the client
 */
public final class Trainer<B> {
    private static final String MODEL = "model.";
    private static final String OPTIMIZER = "optimizer.";

    private final TrainingTask<B> task;
    private final Optimizer optimizer;
    private final TrainingData<B> data;
    private final TrainerOptions options;
    private final List<TrainingListener> listeners = new ArrayList<>();
    private final StepRunner<B> runner;
    private LearningRateSchedule schedule;
    private List<B> evaluated = List.of();
    private Checkpoints checkpoints;
    private CheckpointWriter writer;
    private volatile boolean isStopping;

    private long step;
    private double loss = Double.NaN;
    private double bestLoss = Double.NaN;
    private long bestStep;
    private int misses;

    private record UnderWay(long step, double epoch, StepRunner.Launched launched) {}

    /**
     * Prepares training without starting it.
     *
     * @param task the task, whose module is on a machine
     * @param optimizer the optimizer of the trained parameters
     */
    public Trainer(TrainingTask<B> task, Optimizer optimizer, TrainingData<B> data, TrainerOptions options) {
        this.task = task;
        this.optimizer = optimizer;
        this.data = data;
        this.options = options;
        runner = new StepRunner<>(task, optimizer, options);
    }

    /** Sets the learning rate schedule of the optimizer. It advances after each step. */
    public Trainer<B> schedule(LearningRateSchedule newSchedule) {
        schedule = newSchedule;
        return this;
    }

    /** Sets the batches for evaluations. */
    public Trainer<B> evaluation(List<B> batches) {
        evaluated = List.copyOf(batches);
        return this;
    }

    /** Sets the location to which the state is written, and from which {@link #resume} reads it. */
    public Trainer<B> checkpoints(Checkpoints place) {
        checkpoints = place;
        writer = new CheckpointWriter(place);
        return this;
    }

    public Trainer<B> listener(TrainingListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Ends training after the step under way, and writes a checkpoint. Any thread may call it. */
    public void stop() {
        isStopping = true;
    }

    // ---- the loop

    /** Trains up to the number of steps. Waits until training has ended. */
    public TrainingSummary run() {
        listeners.forEach(listener -> listener.began(step, options.steps()));
        task.module().train();
        TrainingSummary.End end;
        try (runner) {
            end = train();
        } finally {
            task.module().eval();
        }
        TrainingSummary summary = new TrainingSummary(step, loss, bestLoss, bestStep, end);
        listeners.forEach(listener -> listener.ended(summary));
        return summary;
    }

    private TrainingSummary.End train() {
        Deque<UnderWay> underWay = new ArrayDeque<>();
        StepRate rate = new StepRate();
        long begun = System.nanoTime();
        TrainingSummary.End end = TrainingSummary.End.DONE;
        while (step < options.steps() && end == TrainingSummary.End.DONE) {
            underWay.add(launch());
            end = isStopping ? TrainingSummary.End.STOPPED : end;
            boolean isSaved = writer != null && (options.savesBehind(step) || end != TrainingSummary.End.DONE);
            boolean isEvaluated = !evaluated.isEmpty() && options.evaluatesBehind(step);
            read(underWay, isSaved || isEvaluated ? 0 : options.ahead(), rate, begun);
            Double measured = isEvaluated ? Double.valueOf(evaluate()) : null;
            // Training returns to this step if it ends early.
            isSaved |= isEvaluated && bestStep == step && options.patience() > 0 && writer != null;
            if (end == TrainingSummary.End.DONE && options.patience() > 0 && misses >= options.patience()) {
                end = TrainingSummary.End.NO_IMPROVEMENT;
                isSaved = writer != null;
            }
            if (isSaved) {
                save(measured);
            } else if (writer != null) {
                report(writer.finished());
            }
        }
        read(underWay, 0, rate, begun);
        if (writer != null) {
            report(writer.finish());
        }
        return end;
    }

    private UnderWay launch() {
        List<B> batches = new ArrayList<>();
        double weight = 0;
        for (int batch = 0; batch < options.accumulation(); batch++) {
            batches.add(data.next());
            weight += task.weight(batches.getLast());
        }
        if (!(weight > 0)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "trainer: the batches of step " + (step + 1) + " have no labels to measure a loss on");
        }
        StepRunner.Launched launched = runner.launch(batches, weight);
        step++;
        if (schedule != null) {
            schedule.step();
        }
        return new UnderWay(step, data.epoch(), launched);
    }

    /** Reads losses until only {@code left} steps are under way. */
    private void read(Deque<UnderWay> underWay, int left, StepRate rate, long begun) {
        while (underWay.size() > left) {
            UnderWay done = underWay.removeFirst();
            loss = done.launched.loss();
            if (!Double.isFinite(loss) && options.precision() != ComputePrecision.FLOAT16) {
                throw new OutpostException(
                        FaultKind.USER,
                        "trainer: the loss of step " + done.step + " is " + loss
                                + "; a lower learning rate, clipping or a warm-up may help");
            }
            long now = System.nanoTime();
            rate.add(done.step, done.launched.size(), now);
            TrainingStep made = new TrainingStep(
                    done.step,
                    done.epoch,
                    loss,
                    done.launched.gradientNorm(),
                    done.launched.learningRate(),
                    done.launched.size(),
                    (now - begun) / 1e9,
                    rate.units(),
                    rate.secondsFor(options.steps() - done.step));
            listeners.forEach(listener -> listener.stepped(made));
        }
    }

    private double evaluate() {
        task.module().eval();
        List<CompletableFuture<HostTensor>> sums =
                evaluated.stream().map(runner::evaluate).toList();
        task.module().train();
        double sum = 0;
        double weight = 0;
        for (int batch = 0; batch < sums.size(); batch++) {
            sum += LossReader.of(sums.get(batch));
            weight += task.weight(evaluated.get(batch));
        }
        double mean = sum / weight;
        boolean isBest = Double.isNaN(bestLoss) || mean < bestLoss;
        if (isBest) {
            bestLoss = mean;
            bestStep = step;
        }
        misses = isBest ? 0 : misses + 1;
        listeners.forEach(listener -> listener.evaluated(new Evaluation(step, mean, isBest)));
        return mean;
    }

    // ---- checkpoints

    private void save(@Nullable Double measured) {
        long begun = System.nanoTime();
        Map<String, Tensor> tensors = tensors();
        report(writer.begin(state(List.copyOf(tensors.keySet()), measured), tensors, begun));
    }

    private void report(Optional<SavedCheckpoint> saved) {
        saved.ifPresent(one -> listeners.forEach(listener -> listener.saved(one)));
    }

    private SequencedMap<String, Parameter> trained() {
        SequencedMap<String, Parameter> trained = new LinkedHashMap<>();
        task.module().namedParameters().forEach((name, parameter) -> {
            if (parameter.requiresGrad()) {
                trained.put(name, parameter);
            }
        });
        return trained;
    }

    private Map<String, Tensor> tensors() {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        trained().forEach((name, parameter) -> tensors.put(MODEL + name, parameter.tensor()));
        task.module().namedBuffers().forEach((name, buffer) -> tensors.put(MODEL + name, buffer.tensor()));
        optimizer.stateTensors().forEach((name, tensor) -> tensors.put(OPTIMIZER + name, tensor));
        return tensors;
    }

    private TrainingState state(List<String> tensors, @Nullable Double measured) {
        Generator.State random = runner.machine().randomState();
        return new TrainingState(
                TrainingState.VERSION,
                step,
                tensors,
                optimizer.stateNumbers(),
                schedule == null ? 0 : schedule.steps(),
                runner.scaler() == null ? Map.of() : runner.scaler().stateDict(),
                data.position(),
                random.seed(),
                random.draws(),
                orNull(loss),
                measured,
                orNull(bestLoss),
                bestStep,
                misses);
    }

    private static Double orNull(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }

    private static double orNaN(Double value) {
        return value == null ? Double.NaN : value;
    }

    /**
     * Resumes from the newest checkpoint, if one exists. The steps from here on have the same bits as in an uninterrupted run, on any
     * machine with the same engine and device model. Call it before {@link #run}. Waits for the machine.
     *
     * @return the step after which training resumes; 0 if no checkpoint exists
     */
    public long resume() {
        if (checkpoints == null) {
            throw new OutpostException(
                    FaultKind.USER, "trainer: no place of checkpoints is set, so none can be resumed");
        }
        checkpoints.newest().ifPresent(this::restore);
        return step;
    }

    /**
     * Restores the trained parameters of the checkpoint with the best evaluation. Waits for the machine.
     *
     * @return the step of that checkpoint; 0 if none exists and nothing was changed
     */
    public long restoreBest() {
        if (checkpoints == null) {
            return 0;
        }
        return checkpoints
                .best()
                .map(stored -> {
                    loadModel(stored);
                    return stored.state().step();
                })
                .orElse(0L);
    }

    private void loadModel(Checkpoints.Stored stored) {
        requireSame(stored);
        SequencedMap<String, SourceTensor> own = new LinkedHashMap<>();
        stored.tensors().forEach((name, tensor) -> {
            if (name.startsWith(MODEL)) {
                own.put(name.substring(MODEL.length()), tensor);
            }
        });
        task.module().loadStateDict(own, false);
    }

    private void restore(Checkpoints.Stored stored) {
        TrainingState state = stored.state();
        loadModel(stored);
        optimizer.loadState(state.optimizer(), stored.load(OPTIMIZER));
        if (schedule != null) {
            schedule.moveTo(state.scheduleSteps());
        }
        if (runner.scaler() != null && !state.scaler().isEmpty()) {
            runner.scaler().loadStateDict(state.scaler());
        }
        data.moveTo(state.data());
        RemoteMachine machine = runner.machine();
        machine.randomState(state.random());
        step = state.step();
        loss = orNaN(state.loss());
        bestLoss = orNaN(state.bestLoss());
        bestStep = state.bestStep();
        misses = state.misses();
    }

    private void requireSame(Checkpoints.Stored stored) {
        List<String> missing = tensors().keySet().stream()
                .filter(name -> !stored.tensors().containsKey(name))
                .toList();
        List<String> unexpected = stored.tensors().keySet().stream()
                .filter(name -> !tensors().containsKey(name))
                .toList();
        if (!missing.isEmpty() || !unexpected.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "trainer: " + stored.uri() + " is a checkpoint of another model; it lacks " + few(missing)
                            + ", and has " + few(unexpected) + " besides");
        }
    }

    private static String few(List<String> names) {
        return names.isEmpty() ? "nothing" : String.join(", ", names.subList(0, Math.min(5, names.size())));
    }
}
