package dev.outpost.models;

import dev.outpost.Tensor;
import dev.outpost.models.LayerDivision.Costs;
import dev.outpost.models.LayerDivision.Part;
import dev.outpost.models.LayerDivision.Room;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A causal language model whose layers are cut over machines, each of which keeps the caches of its layers. Each machine reads its own
 * layers from the source, and hidden states go straight from one machine to the next. Where a machine is lost, its layers move to the
 * others, and texts that are being generated go on behind the tokens that were read.
 *
 * <pre>{@code
 * try (var llm = PipelineLM.load(
 *         List.of(StageMachine.of(first, "first"), StageMachine.of(second, "second")),
 *         "hf://HuggingFaceTB/SmolLM2-135M", new PipelineOptions().stages(2))) {
 *     llm.generate("Hello, how are you?", Sampling.greedy()).forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>Thread-safe. In float32 greedy tokens are those of the model on one machine.
 */
public final class PipelineLM implements AutoCloseable {
    /** A machine that does not answer within this is done without. */
    private static final Duration PATIENCE = Duration.ofMillis(1500);

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int LOOKS_FOR_LOST = 8;
    /** Values of the width of the model that a stage holds for each token while it computes a part of a prompt. */
    private static final int VALUES_ON_THE_WAY = 16;

    private static final int PART_TOKENS = 256;

    private final String uri;
    private final ModelConfig config;
    private final Decoder described;
    private final DType dtype;
    private final Set<Integer> ends;
    private final Costs costs;
    private final PipelineOptions options;
    private final @Nullable Tokenizer tokenizer;
    /** Guards recording, and what follows. */
    private final ReentrantLock lock = new ReentrantLock();

    private final List<StageMachine> machines;
    /** Those that did not answer any more, and may come back. */
    private final List<StageMachine> lost = new ArrayList<>();

    private final Set<MovingSteps> active = new LinkedHashSet<>();
    private List<Part> parts;
    private StageDeployment deployment;
    private @Nullable OutpostException broken;
    private boolean isMoving;
    private boolean hasMore;
    private boolean isClosed;
    private final Thread watcher =
            Thread.ofPlatform().daemon().name("outpost-lan-model").unstarted(this::watch);

    private PipelineLM(
            Source source, ModelConfig config, DType dtype, List<StageMachine> machines, PipelineOptions options) {
        this.uri = source.uri();
        this.config = config;
        this.described = Architectures.decoder(config);
        this.dtype = dtype;
        this.ends = CausalLM.ends(source, config);
        this.options = options;
        this.machines = new ArrayList<>(machines);
        this.costs = costs(source, described, dtype, options.textTokens());
        this.tokenizer = source.files().containsKey(Tokenizer.FILE) ? Tokenizer.of(source) : null;
        this.parts = divide();
        this.deployment = open(parts);
        watcher.start();
    }

    /**
     * Divides a model over machines and has each load its layers. Waits. The machines stay the caller's.
     *
     * @param machines in sessions of their own, each of which may open the source
     * @param uri of the model, such as {@code hf://org/name}
     * @throws OutpostException where the machines have too little memory; it says what is needed and what each has
     */
    public static PipelineLM load(List<StageMachine> machines, String uri, PipelineOptions options) {
        if (machines.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "lan: a model needs one machine or more, got none");
        }
        Source source = machines.getFirst().machine().open(uri);
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        DType stored = options.dtype() == null ? Checkpoint.storedDType(source) : options.dtype();
        return new PipelineLM(source, config, stored, machines, options);
    }

    // ---- the division

    private static Costs costs(Source source, Decoder decoder, DType dtype, long textTokens) {
        int layers = decoder.cacheShapes().size();
        long width = (long) decoder.features() * dtype.bytes() * PART_TOKENS * VALUES_ON_THE_WAY;
        long first = width;
        long last = (long) decoder.vocabulary() * Float.BYTES;
        long[] each = new long[layers];
        for (int layer = 0; layer < layers; layer++) {
            PagePool.HeadShape shape = decoder.cacheShapes().get(layer);
            each[layer] = textTokens * shape.groups() * (shape.features() + shape.valueFeatures()) * dtype.bytes();
        }
        for (Map.Entry<String, SourceTensor> stored : source.tensors().entrySet()) {
            String name = decoder.nameOf(stored.getKey());
            long bytes = name == null ? 0 : bytes(stored.getValue(), dtype);
            for (int layer = 0; layer < layers && name != null; layer++) {
                each[layer] += isOnly(decoder, name, layer) ? bytes : 0;
            }
            first += name != null && isBelow(decoder.embeddingNames(), name) ? bytes : 0;
            last += name != null && isBelow(decoder.headNames(), name) ? bytes : 0;
        }
        List<Long> ofLayers = new ArrayList<>();
        for (long bytes : each) {
            ofLayers.add(bytes);
        }
        return new Costs(ofLayers, first, last);
    }

    private static boolean isOnly(Decoder decoder, String name, int layer) {
        return name.startsWith(decoder.layersName() + "." + layer + ".");
    }

    private static boolean isBelow(List<String> modules, String name) {
        return modules.stream().anyMatch(module -> name.startsWith(module + "."));
    }

    private static long bytes(SourceTensor tensor, DType dtype) {
        DType held = tensor.dtype().isFloating() ? dtype : tensor.dtype();
        return tensor.shape().elements() * held.bytes();
    }

    private List<Part> divide() {
        return LayerDivision.divide(
                costs,
                machines.stream()
                        .map(machine -> new Room(machine.name(), machine.memoryBytes()))
                        .toList(),
                options.stages());
    }

    private StageDeployment open(List<Part> division) {
        return StageDeployment.open(uri, config, dtype, options.textTokens(), machines, division);
    }

    /** Which machine has which layers, in the order of the layers: a line for each. */
    public List<String> plan() {
        lock.lock();
        try {
            return lines(parts, deployment.machines());
        } finally {
            lock.unlock();
        }
    }

    /** The machines that were lost and have not come back, by name. Their layers are on other machines. */
    public List<String> lost() {
        lock.lock();
        try {
            return lost.stream().map(StageMachine::name).toList();
        } finally {
            lock.unlock();
        }
    }

    /** @param ofParts the machine of each part */
    private static List<String> lines(List<Part> parts, List<StageMachine> ofParts) {
        List<String> lines = new ArrayList<>();
        for (int stage = 0; stage < parts.size(); stage++) {
            Part part = parts.get(stage);
            lines.add(ofParts.get(stage).name() + ": layers " + part.first() + " to " + (part.end() - 1));
        }
        return lines;
    }

    // ---- generation

    public ModelConfig config() {
        return config;
    }

    /** Whether the model comes with a tokenizer. */
    public boolean hasTokenizer() {
        return tokenizer != null;
    }

    /** Between text and tokens; refused for a model that comes without. */
    public Tokenizer tokenizer() {
        if (tokenizer == null) {
            throw new OutpostException(FaultKind.USER, uri + ": the model comes without a " + Tokenizer.FILE);
        }
        return tokenizer;
    }

    /** Begins to generate text behind another. */
    public TextStream generate(String prompt, Sampling sampling) {
        return generateText(tokenizer().encode(prompt), sampling);
    }

    /** As {@link #generate(String, Sampling)}, behind tokens. */
    public TextStream generateText(int[] prompt, Sampling sampling) {
        Tokenizer words = tokenizer();
        return new TextStream(generate(List.of(prompt), sampling), words, List.of());
    }

    /** Begins to generate behind prompts of tokens, which may differ in length; as {@link CausalLM#generate(List, Sampling)}. */
    public Generation generate(List<int[]> prompts, Sampling sampling) {
        PromptChecks.requireTokens(prompts, described);
        long tokens = prompts.stream().mapToInt(ids -> ids.length).max().orElseThrow() + (long) sampling.maxTokens();
        PromptChecks.requirePositions(tokens, described);
        return new Generation(new MovingSteps(this, lock), List.copyOf(prompts), sampling, null, ends, () -> {});
    }

    boolean isLong(long tokens) {
        return described.isLong(tokens);
    }

    /** Texts begin. The lock is held. Null while stages move; they are restarted then. */
    @Nullable
    StageDeployment enter(MovingSteps steps) {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "generate: the model is closed");
        }
        if (broken != null) {
            throw new OutpostException(broken.kind(), broken.getMessage(), broken);
        }
        active.add(steps);
        return isMoving ? null : deployment;
    }

    /** Texts end. The lock is held. */
    void left(MovingSteps steps) {
        active.remove(steps);
    }

    // ---- loss

    /** Steps could not be computed. The lock is held. */
    void failed(MovingSteps steps, @Nullable StageDeployment where, Throwable problem) {
        if (where != deployment || isMoving) {
            // They are restarted, or were.
            return;
        }
        if (isLoss(problem)) {
            Thread.ofVirtual().name("outpost-lan-move").start(() -> move(where));
        } else {
            steps.fail(problem);
        }
    }

    /** Where a machine is gone, the others say that what it was to send did not come. */
    static boolean isLoss(Throwable problem) {
        return problem instanceof MachineLostException
                || problem instanceof OutpostException told && told.kind() == FaultKind.EXTERNAL;
    }

    /** Looks for machines of which nothing is heard, and for those that are there again. */
    private void watch() {
        try {
            for (int look = 1; true; look++) {
                Thread.sleep(LOOK);
                StageDeployment current = current();
                if (current == null) {
                    return;
                }
                if (!isBroken()
                        && current.machines().stream()
                                .anyMatch(each -> each.isLost().getAsBoolean())) {
                    move(current);
                }
                if (look % LOOKS_FOR_LOST == 0) {
                    takeBack();
                }
                if (isWorthMoving()) {
                    move(current());
                }
            }
        } catch (InterruptedException closed) {
            // The model is closed.
        }
    }

    private @Nullable StageDeployment current() {
        lock.lock();
        try {
            return isClosed ? null : deployment;
        } finally {
            lock.unlock();
        }
    }

    private boolean isBroken() {
        lock.lock();
        try {
            return broken != null;
        } finally {
            lock.unlock();
        }
    }

    /** A machine that is there again is used when no text has to be computed again for it, and layers would move to it. */
    private boolean isWorthMoving() {
        lock.lock();
        try {
            if (!hasMore || !active.isEmpty() || isMoving) {
                return false;
            }
            hasMore = false;
            return broken != null || !plan().equals(planOfAll());
        } catch (OutpostException noRoom) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private List<String> planOfAll() {
        List<Part> division = divide();
        return lines(
                division,
                division.stream().map(part -> machines.get(part.worker())).toList());
    }

    private void takeBack() {
        for (StageMachine gone : lostOnes()) {
            try {
                gone.again().get().ifPresent(back -> join(gone, back));
            } catch (RuntimeException goneAgain) {
                // It is looked for again, unless the caller has closed what finds it.
            }
        }
    }

    private List<StageMachine> lostOnes() {
        lock.lock();
        try {
            return isClosed || isMoving ? List.of() : List.copyOf(lost);
        } finally {
            lock.unlock();
        }
    }

    private void join(StageMachine gone, StageMachine back) {
        lock.lock();
        try {
            if (!isClosed && !isMoving && lost.remove(gone)) {
                machines.add(back);
                hasMore = true;
                return;
            }
        } finally {
            lock.unlock();
        }
        back.whenLeft().run();
    }

    /** Moves the layers to the machines that are left, and has all texts go on there. */
    private void move(@Nullable StageDeployment before) {
        lock.lock();
        try {
            if (isClosed || isMoving || before == null || deployment != before) {
                return;
            }
            isMoving = true;
            hasMore = false;
            active.forEach(MovingSteps::leave);
        } finally {
            lock.unlock();
        }
        Thread closing = Thread.ofVirtual().name("outpost-lan-close").start(() -> closeQuietly(before));
        List<String> gone = leaveLost();
        awaitEnd(closing);
        StageDeployment next = null;
        OutpostException problem = null;
        List<Part> division = parts;
        try {
            division = divide();
            next = open(division);
        } catch (RuntimeException failed) {
            problem = new OutpostException(
                    FaultKind.EXTERNAL, "lan: lost " + String.join(", ", gone) + ": " + failed.getMessage(), failed);
        }
        settle(next, division, problem);
    }

    private static void closeQuietly(StageDeployment before) {
        try {
            before.close();
        } catch (OutpostException gone) {
            // A machine that is gone holds nothing any more.
        }
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void settle(@Nullable StageDeployment next, List<Part> division, @Nullable OutpostException problem) {
        lock.lock();
        try {
            isMoving = false;
            broken = problem;
            if (next != null && !isClosed) {
                deployment = next;
                parts = division;
                List.copyOf(active).forEach(steps -> steps.restart(next));
                return;
            }
            if (problem != null) {
                List.copyOf(active).forEach(steps -> steps.fail(problem));
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            closeQuietly(next);
        }
    }

    /** Takes out the machines that do not answer, and tells which. */
    private List<String> leaveLost() {
        Map<StageMachine, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        for (StageMachine machine : List.copyOf(machines)) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> answer.complete(answers(machine)));
            asked.put(machine, answer.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        }
        List<String> gone = new ArrayList<>();
        asked.forEach((machine, answer) -> {
            if (!answer.join()) {
                gone.add(machine.name());
                lock.lock();
                try {
                    machines.remove(machine);
                    lost.add(machine);
                } finally {
                    lock.unlock();
                }
                Thread.ofVirtual().name("outpost-lan-leave").start(machine.whenLeft());
            }
        });
        return gone;
    }

    private static boolean answers(StageMachine machine) {
        if (machine.isLost().getAsBoolean()) {
            return false;
        }
        try {
            machine.machine().synchronize();
        } catch (OutpostException told) {
            // What was to be exchanged with a lost machine has failed; whether this one is lost is seen by what is
            // asked next.
        }
        try (Tensor one = machine.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException gone) {
            return false;
        }
    }

    /** Lets go of weights and caches; texts that are being generated fail. Machines of the caller's stay open. */
    @Override
    public void close() {
        StageDeployment last;
        List<StageMachine> left;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            OutpostException closed = new OutpostException(FaultKind.USER, "generate: the model was closed");
            List.copyOf(active).forEach(steps -> steps.fail(closed));
            last = deployment;
            left = List.copyOf(machines);
        } finally {
            lock.unlock();
        }
        watcher.interrupt();
        closeQuietly(last);
        if (tokenizer != null) {
            tokenizer.close();
        }
        left.forEach(machine -> machine.whenLeft().run());
    }
}
