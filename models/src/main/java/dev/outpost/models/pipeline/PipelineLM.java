package dev.outpost.models.pipeline;

import dev.outpost.models.CausalLM;
import dev.outpost.models.ChatMessage;
import dev.outpost.models.ChatTemplate;
import dev.outpost.models.Generation;
import dev.outpost.models.PromptChecks;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.Tokenizer;
import dev.outpost.models.TokenizerFiles;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.models.pipeline.LayerDivision.Costs;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A causal language model whose layers are divided over machines. Each machine reads its layers from the source and
 * keeps their caches, and sends hidden states directly to the next machine. If a machine is lost, its layers move to
 * the others, and texts continue after the tokens that were read. The same happens if a machine sends wrong data or
 * no data to others: the model excludes this machine.
 *
 * <pre>{@code
 * try (var llm = PipelineLM.load(
 *         List.of(StageMachine.of(first, "first"), StageMachine.of(second, "second")),
 *         "hf://HuggingFaceTB/SmolLM2-135M", new DecoderPipelineOptions().stages(2))) {
 *     llm.generate("Hello, how are you?", Sampling.greedy()).forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>Thread-safe. In float32, greedy tokens are the same as with the model on one machine.
 */
public final class PipelineLM implements AutoCloseable {
    private final String uri;
    private final ModelConfig config;
    private final Decoder described;
    private final Set<Integer> ends;
    private final @Nullable Tokenizer tokenizer;
    private final Supplier<ChatTemplate> chatTemplate;
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
        this.chatTemplate = chatTemplate(source);
        this.workers = new StageWorkers(machines);
        Costs costs = DecoderCosts.of(source, described, dtype, options.textTokens());
        this.supervisor = new StageSupervisor(new StagePlanner(uri, config, dtype, costs, options), workers);
        this.watch = StageWatch.start(supervisor, workers, options.timeout());
    }

    /**
     * Divides a model over machines, and makes each load its layers. Waits for the machines. The caller still has to close the
     * machines.
     *
     * @param machines machines in separate sessions, each of which may open the source
     * @param uri the location of the model, such as {@code hf://org/name}
     * @throws OutpostException if the machines have too little memory; the message has the needed memory and that of each
     *     machine
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

    /** Reads the template at once, because the machine that reads it may be lost later. A problem is reported by the first chat. */
    private static Supplier<ChatTemplate> chatTemplate(Source source) {
        try {
            ChatTemplate template = ChatTemplate.of(source);
            return () -> template;
        } catch (OutpostException failure) {
            return () -> {
                throw new OutpostException(failure.kind(), failure.getMessage(), failure);
            };
        }
    }

    /** Returns the layers of each machine, in the order of the layers: one line for each. */
    public List<String> plan() {
        return supervisor.plan();
    }

    /** Returns the names of lost machines that are not reachable again. Their layers are on other machines. */
    public List<String> lost() {
        return workers.lost().stream().map(StageMachine::name).toList();
    }

    /**
     * Returns a sentence for each excluded machine, beginning with its name. Its layers are on other machines, and this model
     * does not use it again.
     */
    public List<String> leftOut() {
        return workers.leftOut();
    }

    public ModelConfig config() {
        return config;
    }

    /** True if the model comes with a tokenizer. */
    public boolean hasTokenizer() {
        return tokenizer != null;
    }

    /** Returns the tokenizer. Fails if the model comes without one. */
    public Tokenizer tokenizer() {
        if (tokenizer == null) {
            throw new OutpostException(FaultKind.USER, uri + ": the model comes without a tokenizer");
        }
        return tokenizer;
    }

    /** Starts to generate text after a prompt. */
    public TextStream generate(String prompt, Sampling sampling) {
        return generateText(tokenizer().encode(prompt), sampling);
    }

    /** Starts to generate text after a prompt of tokens. */
    public TextStream generateText(int[] prompt, Sampling sampling) {
        Tokenizer words = tokenizer();
        return new TextStream(generate(List.of(prompt), sampling), words, List.of());
    }

    /** True if the model comes with a chat template that can be used. */
    public boolean hasChatTemplate() {
        try {
            chatTemplate.get();
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }

    /** Returns the chat template of the model. Fails if the model comes without one. */
    public ChatTemplate chatTemplate() {
        return chatTemplate.get();
    }

    /** Starts to generate the next message of a conversation. */
    public TextStream chat(List<ChatMessage> messages, Sampling sampling) {
        // The template itself writes the tokens that begin and end a text.
        return generateText(tokenizer().encode(chatTemplate().render(messages), false), sampling);
    }

    /**
     * Starts to generate after prompts of tokens, which may differ in length; see {@link CausalLM#generate(List, Sampling)}.
     */
    public Generation generate(List<int[]> prompts, Sampling sampling) {
        PromptChecks.requireTokens(prompts, described);
        long tokens = prompts.stream().mapToInt(ids -> ids.length).max().orElseThrow() + (long) sampling.maxTokens();
        PromptChecks.requirePositions(tokens, described);
        return new Generation(
                new RelocatableSteps(supervisor, described), List.copyOf(prompts), sampling, null, ends, () -> {});
    }

    /**
     * Releases weights and caches. Texts that are being generated fail. The caller's machines stay open. Waits a few seconds at most, even
     * if a machine does not respond.
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
