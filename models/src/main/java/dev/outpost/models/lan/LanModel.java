package dev.outpost.models.lan;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.ChatMessage;
import dev.outpost.models.ChatTemplate;
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
 * A causal language model whose layers are divided over the paired workers of the local network. Each worker reads its layers
 * from the source and keeps their caches.
 *
 * <pre>{@code
 * try (var workers = Workers.discover(Duration.ofSeconds(3));
 *         var llm = LanModel.load(workers, "hf://HuggingFaceTB/SmolLM2-135M")) {
 *     llm.generate("Hello, how are you?", Sampling.greedy()).forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>A worker that sends nothing for 2.2 s is lost. Its layers move to the other workers if these have enough memory, and texts continue.
 * While the workers stay open, a lost worker that is reachable again is used again. A worker that answers, but sends wrong data or no data
 * to other workers, is excluded ({@link #leftOut}). Thread-safe.
 */
public final class LanModel implements AutoCloseable {
    /** The maximum wait for a connection to a lost worker that may be reachable again. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The maximum wait at the end, because results for a closed model are of no use. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** The time without an announcement after which a worker counts as lost. Workers send two announcements a second. */
    private static final Duration SILENCE = Duration.ofMillis(2200);

    private final PipelineLM model;

    private LanModel(PipelineLM model) {
        this.model = model;
    }

    /** Loads a model like {@link #load(Workers, String, DecoderPipelineOptions)}, with the default options. */
    public static LanModel load(Workers workers, String uri) {
        return load(workers, uri, new DecoderPipelineOptions());
    }

    /**
     * Divides a model over the visible workers that this client is paired with. Waits until all have loaded their layers.
     *
     * @param uri the location of the model, such as {@code hf://org/name}; each worker must be allowed to open it
     * @throws OutpostException if no worker can be used, or their memory is too small; the message says the missing part
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
            // Texts on this worker have failed or continued elsewhere.
        }
    }

    /** Returns the layers of each worker, in the order of the layers: one line for each. */
    public List<String> plan() {
        return model.plan();
    }

    /** Returns the names of lost workers that are not reachable again. Their layers are on other workers. */
    public List<String> lost() {
        return model.lost();
    }

    /**
     * Returns a sentence for each excluded worker, beginning with its name. Its layers are on other workers, and this model
     * does not use it again.
     */
    public List<String> leftOut() {
        return model.leftOut();
    }

    /** Starts to generate text after a prompt. */
    public TextStream generate(String prompt, Sampling sampling) {
        return model.generate(prompt, sampling);
    }

    /** Starts to generate text after a prompt of tokens. */
    public TextStream generateText(int[] prompt, Sampling sampling) {
        return model.generateText(prompt, sampling);
    }

    /** True if the model comes with a chat template. */
    public boolean hasChatTemplate() {
        return model.hasChatTemplate();
    }

    /** Returns the chat template of the model. Fails if the model comes without one. */
    public ChatTemplate chatTemplate() {
        return model.chatTemplate();
    }

    /** Starts to generate the next message of a conversation. */
    public TextStream chat(List<ChatMessage> messages, Sampling sampling) {
        return model.chat(messages, sampling);
    }

    /** Starts to generate after prompts of tokens, which may differ in length. */
    public Generation generate(List<int[]> prompts, Sampling sampling) {
        return model.generate(prompts, sampling);
    }

    /** True if the model comes with a tokenizer. */
    public boolean hasTokenizer() {
        return model.hasTokenizer();
    }

    /** Returns the tokenizer. Fails if the model comes without one. */
    public Tokenizer tokenizer() {
        return model.tokenizer();
    }

    /** Releases the workers. Texts that are being generated fail. Waits three seconds at most for workers that do not respond. */
    @Override
    public void close() {
        model.close();
    }
}
