package dev.outpost.models.lan;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.Tokenizer;
import dev.outpost.models.pipeline.DecoderPipelineOptions;
import dev.outpost.models.pipeline.PipelineLM;
import dev.outpost.models.pipeline.StageMachine;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.WorkerHeartbeat;
import dev.outpost.provider.lan.WorkerProvider;
import dev.outpost.provider.lan.Workers;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A causal language model over the paired workers of the local network, cut by its layers. Each worker reads its layers from the source
 * and keeps their caches.
 *
 * <pre>{@code
 * try (var workers = Workers.discover(Duration.ofSeconds(3));
 *         var llm = LanModel.load(workers, "hf://HuggingFaceTB/SmolLM2-135M")) {
 *     llm.generate("Hello, how are you?", Sampling.greedy()).forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>A worker of which nothing is heard for 2.2 s is lost: its layers move to the others where they have room, and texts go on. While
 * the workers stay open, one that comes back is used again. A worker that answers and sends others something else than it was told to
 * send, or nothing, is left out ({@link #leftOut}). Thread-safe.
 */
public final class LanModel implements AutoCloseable {
    /** A worker that does not come back within this is done without. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** What a worker still computes for a model that is closed is of no use. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** A worker that tells nothing for so long is lost; it tells twice a second. */
    private static final Duration SILENCE = Duration.ofMillis(2200);

    private final PipelineLM model;

    private LanModel(PipelineLM model) {
        this.model = model;
    }

    /** As {@link #load(Workers, String, DecoderPipelineOptions)}, with nothing changed. */
    public static LanModel load(Workers workers, String uri) {
        return load(workers, uri, new DecoderPipelineOptions());
    }

    /**
     * Cuts a model over the workers that are there and this client is paired with; waits until all have loaded their layers.
     *
     * @param uri of the model, which each worker has to be allowed to open, such as {@code hf://org/name}
     * @throws OutpostException where no worker can be used, or they have too little memory; it says what is missing
     */
    public static LanModel load(Workers workers, String uri, DecoderPipelineOptions options) {
        List<Worker> usable = workers.usable();
        if (usable.isEmpty()) {
            throw new OutpostException(FaultKind.EXTERNAL, "lan: no worker can be used: " + whatThereIs(workers));
        }
        if (options.stages().orElse(1) > usable.size()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "lan: expected " + options.stages().getAsInt() + " workers that can be used, got " + usable.size()
                            + ": " + whatThereIs(workers));
        }
        List<StageMachine> machines = new ArrayList<>();
        boolean isLoaded = false;
        try {
            usable.forEach(worker -> machines.add(machine(worker, workers)));
            LanModel loaded = new LanModel(PipelineLM.load(machines, uri, options));
            isLoaded = true;
            return loaded;
        } finally {
            if (!isLoaded) {
                machines.forEach(machine -> Thread.ofVirtual().start(machine.whenLeft()));
            }
        }
    }

    private static String whatThereIs(Workers workers) {
        String seen = workers.list().stream().map(Worker::refusal).collect(Collectors.joining("; "));
        return seen.isEmpty() ? "none was found on the local network; ./outpost runtime --announce starts one" : seen;
    }

    private static StageMachine machine(Worker worker, Workers workers) {
        RemoteMachine machine = RemoteMachine.of(
                new WorkerProvider(worker),
                "any",
                new MachineOptions().lossTimeout(TIMEOUT).closeLimit(CLOSING));
        WorkerHeartbeat watch = WorkerHeartbeat.start(worker);
        return new StageMachine(
                worker.name(),
                machine,
                Optional.of(worker.host()),
                worker.freeBytes(),
                () -> watch.silence().compareTo(SILENCE) > 0,
                () -> again(worker, workers),
                () -> leave(machine, watch));
    }

    private static Optional<StageMachine> again(Worker lost, Workers workers) {
        return workers.usable().stream()
                .filter(worker -> worker.certificate().equals(lost.certificate()))
                .findFirst()
                .map(worker -> machine(worker, workers));
    }

    private static void leave(RemoteMachine machine, WorkerHeartbeat watch) {
        watch.close();
        try {
            machine.close();
        } catch (OutpostException ignored) {
            // Texts that were on it have been told, or have gone on elsewhere.
        }
    }

    /** Which worker has which layers, in the order of the layers: a line for each. */
    public List<String> plan() {
        return model.plan();
    }

    /** The workers that were lost and have not come back, by name. Their layers are on other workers. */
    public List<String> lost() {
        return model.lost();
    }

    /**
     * A sentence for each worker that is left out because it did not do what it was told, its name first. Its layers are on other workers,
     * and it is not used again by this model.
     */
    public List<String> leftOut() {
        return model.leftOut();
    }

    /** Begins to generate text behind another. */
    public TextStream generate(String prompt, Sampling sampling) {
        return model.generate(prompt, sampling);
    }

    /** As {@link #generate(String, Sampling)}, behind tokens. */
    public TextStream generateText(int[] prompt, Sampling sampling) {
        return model.generateText(prompt, sampling);
    }

    /** Begins to generate behind prompts of tokens, which may differ in length. */
    public Generation generate(List<int[]> prompts, Sampling sampling) {
        return model.generate(prompts, sampling);
    }

    /** Whether the model comes with a tokenizer. */
    public boolean hasTokenizer() {
        return model.hasTokenizer();
    }

    /** Between text and tokens; refused for a model that comes without. */
    public Tokenizer tokenizer() {
        return model.tokenizer();
    }

    /** Lets go of the workers; texts that are being generated fail. Waits three seconds at most for workers that say nothing. */
    @Override
    public void close() {
        model.close();
    }
}
