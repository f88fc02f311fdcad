package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.models.constraint.CompilationCancelledException;
import dev.outpost.models.constraint.ConstraintCompiler;
import dev.outpost.models.constraint.JsonSchema;
import dev.outpost.models.constraint.TokenBytes;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.nn.Init;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A causal language model on a machine. The {@code config.json} of a source describes it; the machine reads the weights from
 * the source.
 *
 * <pre>{@code
 * try (var machine = RemoteMachine.of("k8s", "L4")) {
 *     var llm = CausalLM.load(machine, "s3://models/SmolLM2-135M");
 *     llm.generate("Hello, how are you?", Sampling.temperature(0.7).topP(0.9).maxTokens(200))
 *             .forEachRemaining(System.out::print);
 * }
 * }</pre>
 *
 * <p>Thread-safe; generations of several threads take turns on the machine.
 */
public final class CausalLM implements AutoCloseable {
    /** The unit of cache capacities, in tokens. With this unit, texts of similar length share programs. */
    private static final int CAPACITY_UNIT = 64;

    private static final int MAX_IDLE_SESSIONS = 4;
    private static final long SHARD_BYTES = 4L << 30;
    private static final long TEXTS = 8;
    private static final long TEXT_TOKENS = 2048;

    private final RemoteMachine machine;
    private final Source source;
    private final ModelConfig config;
    private final Decoder decoder;
    private final DType dtype;
    private final Set<Integer> ends;
    private final PagedKvCache pool;
    private final List<DecodeSession> idle = new ArrayList<>();
    private Tokenizer tokenizer;
    private ChatTemplate chatTemplate;
    private ConstraintCompiler compiler;
    private byte[] @Nullable [] tokenBytes;
    private long prepared;
    private boolean isPreparedLong;
    private boolean isClosed;

    private CausalLM(
            Source source, ModelConfig config, Decoder decoder, DType dtype, Set<Integer> ends, long textTokens) {
        this.machine = source.machine();
        this.source = source;
        this.config = config;
        this.decoder = decoder;
        this.dtype = dtype;
        this.ends = ends;
        this.pool = new PagedKvCache(machine, dtype, decoder.cacheShapes(), PagedKvCache.blocksOf(textTokens));
    }

    /**
     * Loads a model in the dtype of the stored weights. Waits for the machine.
     *
     * {@snippet file="ModelExamplesTest.java" region="load"}
     */
    public static CausalLM load(RemoteMachine machine, String uri) {
        return load(machine.open(uri), null, 0);
    }

    /**
     * Loads a model from an open source. Waits for the machine.
     *
     * @param dtype the dtype of weights and caches, or null for the dtype of the stored weights
     * @param textTokens the maximum number of tokens of all texts that are generated at a time, prompts included;
     *     their memory is allocated at once. 0 for eight times 2,048 tokens, or less if the model has fewer positions
     */
    public static CausalLM load(Source source, DType dtype, long textTokens) {
        return load(source, dtype, textTokens, null);
    }

    /**
     * Loads a model like {@link #load(Source, DType, long)}, and quantizes the weights on the machine as they are read.
     * Weights that are stored in the layouts of GPTQ or AWQ need no argument: {@code config.json} names the layout.
     *
     * @param quantize {@link Quantization#int8} or {@link Quantization#int4}, or null to keep the weights as stored
     */
    public static CausalLM load(Source source, DType dtype, long textTokens, @Nullable Quantization quantize) {
        ModelConfig config = quantized(ModelConfig.parse(source.uri(), source.text("config.json")), quantize);
        Decoder decoder = Architectures.decoder(config);
        DType stored = dtype == null ? WeightLoader.storedDType(source) : dtype;
        WeightLoader.load(decoder, source, stored, decoder::nameOf, decoder::isSpare);
        long room = textTokens > 0 ? textTokens : TEXTS * Math.min(decoder.mostPositions(), TEXT_TOKENS);
        return new CausalLM(source, config, decoder, stored, ends(source, config), room);
    }

    /**
     * Makes the machine write a model with random weights, for training from scratch. Matrices are drawn from the
     * machine's random stream, normally distributed with the configuration's {@code initializer_range} (0.02). Biases
     * are 0, and the scales of norms are neutral. Waits for the machine.
     *
     * @param uri a location without a model
     * @param files {@code config.json} and the other small files of the model, such as {@code tokenizer.json}
     */
    public static void create(RemoteMachine machine, String uri, Map<String, String> files) {
        if (!files.containsKey("config.json")) {
            throw new OutpostException(FaultKind.USER, "create: a model needs a config.json, got " + files.keySet());
        }
        ModelConfig config = ModelConfig.parse(uri, files.get("config.json"));
        Decoder decoder = Architectures.decoder(config);
        double range = config.real("initializer_range", 0.02);
        boolean isNormFromOne = config.modelType().startsWith("gemma");
        Map<String, Tensor> weights = new LinkedHashMap<>();
        decoder.namedParameters().forEach((name, parameter) -> {
            if (parameter.shape().rank() > 1) {
                parameter.initialize(Init.normal(0, range));
            } else if (name.endsWith("bias") || isNormFromOne) {
                parameter.initialize(Init.zeros());
            } else {
                parameter.initialize(Init.ones());
            }
        });
        decoder.to(machine);
        try {
            decoder.namedParameters().forEach((name, parameter) -> weights.put(name, parameter.tensor()));
            machine.save(uri, weights, files, SHARD_BYTES);
        } finally {
            WeightLoader.close(decoder);
        }
    }

    static ModelConfig quantized(ModelConfig config, @Nullable Quantization quantize) {
        if (quantize == null) {
            return config;
        }
        if (config.quantization().isPresent()) {
            throw new OutpostException(
                    FaultKind.USER, config.name() + ": its weights are stored quantized, and are not quantized again");
        }
        return config.with(quantize);
    }

    public static Set<Integer> ends(Source source, ModelConfig config) {
        Set<Integer> ends = new TreeSet<>(config.integers("eos_token_id"));
        String generation = "generation_config.json";
        if (source.files().containsKey(generation)) {
            ends.addAll(ModelConfig.parse(source.uri(), source.text(generation)).integers("eos_token_id"));
        }
        return Set.copyOf(ends);
    }

    public RemoteMachine machine() {
        return machine;
    }

    public Source source() {
        return source;
    }

    public ModelConfig config() {
        return config;
    }

    /** Returns the dtype of weights and caches. */
    public DType dtype() {
        return dtype;
    }

    /** Returns the number of bytes that the keys and values of a token take in all layers. */
    public long cacheBytesPerToken() {
        return dtype.bytes()
                * decoder.cacheShapes().stream()
                        .mapToLong(PagedKvCache.HeadShape::elements)
                        .sum();
    }

    /** Returns the module. Its parameters have the names of transformers' files. */
    public Decoder module() {
        return decoder;
    }

    /**
     * Returns the module, prepared for texts of {@code tokens} tokens, for training and direct calls.
     *
     * @param tokens the maximum number of tokens of a text; fails if the model has fewer positions
     */
    public Decoder module(int tokens) {
        requireOpen();
        requirePositions(tokens);
        prepare(tokens, decoder.isLong(tokens));
        return decoder;
    }

    /**
     * Makes the machine write the model in its present state: the weights under the names of transformers' files, and
     * the small files of the loaded model. Waits for the machine.
     *
     * @param uri a location without a model, such as {@code s3://bucket/model}
     */
    public void save(String uri) {
        requireOpen();
        Map<String, Tensor> weights = new LinkedHashMap<>();
        decoder.namedParameters().forEach((name, parameter) -> weights.put(name, parameter.tensor()));
        Map<String, String> files = new LinkedHashMap<>();
        source.files().forEach((file, bytes) -> {
            if (file.endsWith(".json") && !file.endsWith(".safetensors.index.json") || file.endsWith(".jinja")) {
                files.put(file, source.text(file));
            }
        });
        machine.save(uri, weights, files, SHARD_BYTES);
    }

    /** True if the model comes with a tokenizer. */
    public boolean hasTokenizer() {
        return TokenizerFiles.areIn(source);
    }

    /**
     * Returns the tokenizer. Fails if the model comes without one. The first call waits until the file is read.
     *
     * {@snippet file="ModelExamplesTest.java" region="tokenizer"}
     */
    public synchronized Tokenizer tokenizer() {
        if (tokenizer == null) {
            tokenizer = Tokenizer.of(source);
        }
        return tokenizer;
    }

    /**
     * Starts to generate text after a prompt. The stream waits for each piece.
     *
     * {@snippet file="ModelExamplesTest.java" region="load"}
     *
     * @param stops texts that end the generation; they are not part of the result
     */
    public TextStream generate(String prompt, Sampling sampling, String... stops) {
        return generateText(tokenizer().encode(prompt), sampling, stops);
    }

    /** Starts to generate text after a prompt of tokens; see {@link #generate(String, Sampling, String...)}. */
    public TextStream generateText(int[] prompt, Sampling sampling, String... stops) {
        Tokenizer words = tokenizer();
        for (String stop : stops) {
            if (stop.isEmpty()) {
                throw new OutpostException(FaultKind.USER, "generate: a stop text is empty");
            }
        }
        return new TextStream(generate(prompt, sampling), words, List.of(stops));
    }

    /** True if the model comes with a chat template. */
    public boolean hasChatTemplate() {
        return ChatTemplate.isIn(source);
    }

    /** Returns the chat template of the model. Fails if the model comes without one. The first call waits until the file is read. */
    public synchronized ChatTemplate chatTemplate() {
        if (chatTemplate == null) {
            chatTemplate = ChatTemplate.of(source);
        }
        return chatTemplate;
    }

    /**
     * Starts to generate the next message of a conversation.
     *
     * {@snippet file="ModelExamplesTest.java" region="chat"}
     */
    public TextStream chat(List<ChatMessage> messages, Sampling sampling, String... stops) {
        // The template itself writes the tokens that begin and end a text.
        return generateText(tokenizer().encode(chatTemplate().render(messages), false), sampling, stops);
    }

    /**
     * Starts to generate text that matches a constraint from {@link #regex} or {@link #jsonSchema}. The text ends when it is
     * complete, or earlier at {@code maxTokens}.
     */
    public TextStream generate(String prompt, Sampling sampling, TokenConstraint constraint) {
        int[] ids = tokenizer().encode(prompt);
        return new TextStream(generate(List.of(ids), sampling, constraint), tokenizer(), List.of());
    }

    /**
     * Returns the constraint that the whole text must match a regular expression. It may have alternatives, groups, classes, {@code . ? * +
     * {n,m}} and {@code \d \w \s}, but no anchors. Keep the result for reuse, because it was compiled for the model's tokens.
     *
     * {@snippet file="ModelExamplesTest.java" region="regex"}
     */
    public TokenConstraint regex(String expression) {
        return compiler().compile(JsonSchema.regex(expression));
    }

    /**
     * Returns the constraint that the text must be JSON that satisfies a schema. Members have the schema's order.
     * Members that the schema does not name occur only if it has {@code additionalProperties} or names no members.
     * Recursive schemas and values of any type nest a limited number of times. A keyword that cannot be enforced is
     * an error that names it; {@code docs/serving.md} lists the enforced keywords.
     *
     * @throws OutpostException of kind {@code USER} if the schema cannot be enforced
     */
    public TokenConstraint jsonSchema(String schema) {
        return jsonSchema(schema, () -> false);
    }

    /**
     * Compiles a schema like {@link #jsonSchema(String)}, with a way to cancel the compilation.
     *
     * @param isCancelled polled by the calling thread; once it returns true, {@link CompilationCancelledException} is thrown
     */
    public TokenConstraint jsonSchema(String schema, BooleanSupplier isCancelled) {
        return compiler().compile(JsonSchema.generated(schema, isCancelled), isCancelled);
    }

    /** Returns the bytes that a token adds to a text; null for a special token. Callers must not change the array. */
    public byte @Nullable [] tokenBytes(int token) {
        compiler();
        return tokenBytes[token];
    }

    private synchronized ConstraintCompiler compiler() {
        if (compiler == null) {
            tokenizer();
            ModelConfig json =
                    ModelConfig.parse(source.uri(), new String(TokenizerFiles.json(source), StandardCharsets.UTF_8));
            tokenBytes = TokenBytes.of(json.json(), decoder.vocabulary());
            compiler = new ConstraintCompiler(tokenBytes, ends);
        }
        return compiler;
    }

    /** Returns the tokens that end a text. */
    public Set<Integer> ends() {
        return ends;
    }

    /**
     * Returns the scores after each token of whole texts of equal length, {@code [batch, tokens, vocabulary]}.
     *
     * {@snippet file="ModelExamplesTest.java" region="logits"}
     *
     * @param ids {@code [batch, tokens]}, int64
     */
    public Tensor logits(Tensor ids) {
        requirePositions(ids.size(1));
        prepare(ids.size(1), decoder.isLong(ids.size(1)));
        return GradMode.noGrad(() -> decoder.forward(ids));
    }

    /** Returns the number of tokens for which memory is free while the present texts are being generated. */
    public long freeTokens() {
        return (long) pool.free() * PagedKvCache.BLOCK_SIZE;
    }

    /** Starts to generate after a prompt of tokens. Each element of the result is an array of one token. */
    public Generation generate(int[] prompt, Sampling sampling) {
        return generate(List.of(prompt), sampling);
    }

    /**
     * Starts to generate after prompts, which may differ in length. The seed of each text is one more than that of the text
     * before.
     *
     * {@snippet file="ModelExamplesTest.java" region="generateTokens"}
     */
    public Generation generate(List<int[]> prompts, Sampling sampling) {
        return generate(prompts, sampling, null);
    }

    /**
     * Starts to generate like {@link #generate(List, Sampling)}, with texts that match a constraint.
     *
     * @param constraint from {@link #regex} or {@link #jsonSchema}, or null for none
     */
    public synchronized Generation generate(
            List<int[]> prompts, Sampling sampling, @Nullable TokenConstraint constraint) {
        requireOpen();
        requireTokens(prompts);
        long tokens = prompts.stream().mapToInt(ids -> ids.length).max().orElseThrow() + (long) sampling.maxTokens();
        requirePositions(tokens);
        long capacity = Math.min(decoder.mostPositions(), Math.ceilDiv(tokens, CAPACITY_UNIT) * CAPACITY_UNIT);
        prepare(capacity, decoder.isLong(tokens));
        DecodeSession session = take(prompts.size(), capacity);
        return new Generation(session, List.copyOf(prompts), sampling, constraint, ends, () -> release(session));
    }

    /**
     * Returns the likeliest texts after a prompt, one for each beam, the best first. Uses beam search with the rules of
     * transformers. Waits for the machine.
     *
     * @return the texts, each with its tokens after the prompt and the token that ends it
     */
    public synchronized List<Beam> beamSearch(int[] prompt, BeamSettings settings) {
        return beamSearch(prompt, settings, ends);
    }

    /** Runs {@link #beamSearch(int[], BeamSettings)}, where these tokens end a text instead of the model's. */
    public synchronized List<Beam> beamSearch(int[] prompt, BeamSettings settings, Set<Integer> ending) {
        requireOpen();
        requireTokens(List.of(prompt));
        long tokens = (long) prompt.length + settings.maxTokens();
        requirePositions(tokens);
        prepare(tokens, decoder.isLong(tokens));
        try (BeamSearch search = new BeamSearch(machine, decoder, pool, prompt, settings, ending)) {
            return search.run();
        }
    }

    private void requireTokens(List<int[]> prompts) {
        PromptChecks.requireTokens(prompts, decoder);
    }

    private void requirePositions(long tokens) {
        PromptChecks.requirePositions(tokens, decoder);
    }

    /** Makes the tables that depend on the position, unless they cover {@code positions} already. */
    private synchronized void prepare(long positions, boolean isLong) {
        if (positions > prepared || isLong != isPreparedLong) {
            closeIdle();
            decoder.prepare(machine, Math.max(positions, prepared), isLong);
            prepared = Math.max(positions, prepared);
            isPreparedLong = isLong;
        }
    }

    private DecodeSession take(long texts, long capacity) {
        for (DecodeSession session : idle) {
            if (session.fits(texts, capacity)) {
                idle.remove(session);
                return session;
            }
        }
        return new DecodeSession(machine, decoder, pool, texts, capacity);
    }

    private synchronized void release(DecodeSession session) {
        if (isClosed || idle.size() >= MAX_IDLE_SESSIONS) {
            session.close();
        } else {
            idle.add(session);
        }
    }

    private void closeIdle() {
        idle.forEach(DecodeSession::close);
        idle.clear();
    }

    private void requireOpen() {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "generate: the model is closed");
        }
    }

    /** Releases weights and caches. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            closeIdle();
            pool.close();
            if (tokenizer != null) {
                tokenizer.close();
            }
            WeightLoader.close(decoder);
        }
    }
}
