package dev.outpost.models.pipeline;

import dev.outpost.models.CausalLM;
import dev.outpost.models.Decoder;
import dev.outpost.models.Generation;
import dev.outpost.models.ModelConfig;
import dev.outpost.models.PromptChecks;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.Tokenizer;
import dev.outpost.models.TokenizerFiles;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.models.pipeline.LayerDivision.Costs;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A causal language model whose layers are cut over machines, each of which keeps the caches of its layers. Each machine reads its own
 * layers from the source, and hidden states go straight from one machine to the next. Where a machine is lost, its layers move to the
 * others, and texts that are being generated go on behind the tokens that were read. So they do where a machine sends others something
 * else than it was told to send, or nothing: it is left out.
 *
 * <pre>{@code
 * try (var llm = PipelineLM.load(
 *         List.of(StageMachine.of(first, "first"), StageMachine.of(second, "second")),
 *         "hf://HuggingFaceTB/SmolLM2-135M", new DecoderPipelineOptions().stages(2))) {
 *     llm.generate("Hello, how are you?", Sampling.greedy()).forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>Thread-safe. In float32 greedy tokens are those of the model on one machine.
 */
public final class PipelineLM implements AutoCloseable {
    private final String uri;
    private final ModelConfig config;
    private final Decoder described;
    private final Set<Integer> ends;
    private final @Nullable Tokenizer tokenizer;
    private final StageWorkers workers;
    private final StageSupervisor supervisor;
    private final StageWatch watch;

    private PipelineLM(
            Source source,
            ModelConfig config,
            DType dtype,
            List<StageMachine> machines,
            DecoderPipelineOptions options) {
        this.uri = source.uri();
        this.config = config;
        this.described = Architectures.decoder(config);
        this.ends = CausalLM.ends(source, config);
        this.tokenizer = TokenizerFiles.areIn(source) ? Tokenizer.of(source) : null;
        this.workers = new StageWorkers(machines);
        Costs costs = DecoderCosts.of(source, described, dtype, options.textTokens());
        this.supervisor = new StageSupervisor(new StagePlanner(uri, config, dtype, costs, options), workers);
        this.watch = StageWatch.start(supervisor, workers, options.timeout());
    }

    /**
     * Divides a model over machines and has each load its layers. Waits. The machines stay the caller's.
     *
     * @param machines in sessions of their own, each of which may open the source
     * @param uri of the model, such as {@code hf://org/name}
     * @throws OutpostException where the machines have too little memory; it says what is needed and what each has
     */
    public static PipelineLM load(List<StageMachine> machines, String uri, DecoderPipelineOptions options) {
        if (machines.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "lan: a model needs one machine or more, got none");
        }
        Source source = machines.getFirst().machine().open(uri);
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        DType stored = options.dtype() == null ? WeightLoader.storedDType(source) : options.dtype();
        return new PipelineLM(source, config, stored, machines, options);
    }

    /** Which machine has which layers, in the order of the layers: a line for each. */
    public List<String> plan() {
        return supervisor.plan();
    }

    /** The machines that were lost and have not come back, by name. Their layers are on other machines. */
    public List<String> lost() {
        return workers.lost().stream().map(StageMachine::name).toList();
    }

    /**
     * A sentence for each machine that is left out because it did not do what it was told, its name first. Its layers are on other
     * machines, and it is not used again by this model.
     */
    public List<String> leftOut() {
        return workers.leftOut();
    }

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
            throw new OutpostException(FaultKind.USER, uri + ": the model comes without a tokenizer");
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
        return new Generation(
                new RelocatableSteps(supervisor, described), List.copyOf(prompts), sampling, null, ends, () -> {});
    }

    /**
     * Lets go of weights and caches; texts that are being generated fail. Machines of the caller's stay open. Waits a few seconds at most,
     * also for a machine that says nothing.
     */
    @Override
    public void close() {
        watch.close();
        supervisor.close();
        if (tokenizer != null) {
            tokenizer.close();
        }
    }
}
