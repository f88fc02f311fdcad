package dev.outpost.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Encoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Computes embeddings of texts with an encoder on a machine, as sentence-transformers does. {@code modules.json} sets
 * the pooling of the token vectors and whether the result is normalized to length 1.
 * {@code sentence_bert_config.json} sets the maximum number of tokens of a text; longer texts are
 * {@linkplain #truncate truncated}. Without these files the embedding is the mean, and a text may have as many tokens
 * as the encoder has positions.
 *
 * <pre>{@code
 * try (var embedder = Embedder.load(machine, "hf://sentence-transformers/all-MiniLM-L6-v2")) {
 *     float[][] vectors = embedder.embed(List.of("a text", "another one"));
 * }
 * }</pre>
 */
public final class Embedder implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** The number of texts that are computed together. */
    private static final int BATCH = 32;

    private final RemoteMachine machine;
    private final Encoder encoder;
    private final Tokenizer tokenizer;
    private final SentenceSettings settings;
    private final int maxTokens;
    /** The special tokens that follow each text. */
    private final int[] closing;

    private Embedder(RemoteMachine machine, Encoder encoder, Tokenizer tokenizer, SentenceSettings settings) {
        this.machine = machine;
        this.encoder = encoder;
        this.tokenizer = tokenizer;
        this.settings = settings;
        this.maxTokens = Math.min(encoder.mostPositions(), settings.maxTokens());
        this.closing = tokenizer.closing();
    }

    /** Loads an encoder and its tokenizer, in the dtype of the stored weights. Waits for the machine. */
    public static Embedder load(RemoteMachine machine, String uri) {
        return load(machine.open(uri));
    }

    /** Loads an encoder from an open source, like {@link #load(RemoteMachine, String)}. */
    public static Embedder load(Source source) {
        return load(source, null);
    }

    /**
     * Loads an encoder like {@link #load(Source)}, in another dtype.
     *
     * @param dtype the dtype that weights are cast to while they are read; null for the stored one
     */
    public static Embedder load(Source source, @Nullable DType dtype) {
        SentenceSettings settings = SentenceSettings.of(source);
        Tokenizer tokenizer = Tokenizer.of(settings.encoder());
        boolean isWhole = false;
        try {
            Embedder embedder = new Embedder(source.machine(), encoder(settings.encoder(), dtype), tokenizer, settings);
            isWhole = true;
            return embedder;
        } finally {
            if (!isWhole) {
                tokenizer.close();
            }
        }
    }

    static JsonNode json(Source source, String file) {
        try {
            return MAPPER.readTree(source.text(file));
        } catch (JsonProcessingException failure) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": " + file + " is no JSON: " + failure.getOriginalMessage());
        }
    }

    /** Loads only the encoder of a source, for callers that have their own tokens. */
    static Encoder encoder(Source source, @Nullable DType dtype) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        Encoder encoder = Architectures.encoder(config);
        DType stored = dtype == null ? WeightLoader.storedDType(source) : dtype;
        WeightLoader.load(encoder, source, stored, encoder::nameOf, spare -> true);
        return encoder;
    }

    /** Returns the number of elements of a vector. */
    public int features() {
        return encoder.features() * settings.poolings().size();
    }

    /** True if models of a type can be loaded. */
    public static boolean knows(String modelType) {
        return Architectures.isEncoder(modelType);
    }

    /** Returns the tokenizer. */
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /** Returns the maximum number of tokens of a text that are embedded, special ones included. */
    public int textTokens() {
        return maxTokens;
    }

    /** Returns all tokens of a text, special ones included. Does not truncate. */
    public int[] encode(String text) {
        return tokenizer.encode(settings.isLowerCase() ? text.toLowerCase(Locale.ROOT) : text);
    }

    /**
     * Truncates tokens to {@link #textTokens}. Keeps the first tokens, and the special tokens at the end if the text ends with them.
     * {@link #embed} does this to longer texts.
     */
    public int[] truncate(int[] ids) {
        if (ids.length <= maxTokens) {
            return ids;
        }
        boolean isClosed = closing.length < maxTokens
                && Arrays.equals(ids, ids.length - closing.length, ids.length, closing, 0, closing.length);
        int[] kept = Arrays.copyOf(ids, maxTokens);
        if (isClosed) {
            System.arraycopy(closing, 0, kept, maxTokens - closing.length, closing.length);
        }
        return kept;
    }

    /**
     * Returns a vector for each text. {@linkplain #truncate Truncates} texts of more than {@link #textTokens} tokens. Waits for the machine.
     *
     * {@snippet file="ModelExamplesTest.java" region="embed"}
     */
    public float[][] embed(List<String> texts) {
        float[][] vectors = new float[texts.size()][];
        for (int from = 0; from < texts.size(); from += BATCH) {
            List<String> some = texts.subList(from, Math.min(texts.size(), from + BATCH));
            List<int[]> ids = some.stream().map(text -> truncate(encode(text))).toList();
            try (Tensor embedded = embedTokens(ids)) {
                float[] all = embedded.toFloatArray();
                for (int text = 0; text < some.size(); text++) {
                    vectors[from + text] = Arrays.copyOfRange(all, text * features(), (text + 1) * features());
                }
            }
        }
        return vectors;
    }

    /**
     * Returns the vectors of tokenized texts, {@code [texts, features]}, float32. Throws OutpostException if a text has more than {@link
     * #textTokens} tokens. Does not wait.
     */
    public Tensor embedTokens(List<int[]> texts) {
        for (int[] text : texts) {
            if (text.length > maxTokens) {
                throw new OutpostException(
                        FaultKind.USER, "embed: a text has at most " + maxTokens + " tokens, got " + text.length);
            }
        }
        return GradMode.noGrad(() -> Scope.tidy(() -> {
            Batch batch = batch(machine, encoder.padding(), texts);
            Tensor hidden = encoder.hidden(batch.ids, batch.isToken).to(DType.FLOAT32);
            Tensor isToken = batch.isToken.unsqueeze(-1);
            Tensor[] parts = settings.poolings().stream()
                    .map(pooling -> pooling.of(hidden, isToken))
                    .toArray(Tensor[]::new);
            Tensor pooled = parts.length == 1 ? parts[0] : Tensors.cat(List.of(parts), -1);
            return settings.isUnit()
                    ? pooled.div(pooled.mul(pooled).sum(-1, true).sqrt().clampMin(1e-12))
                    : pooled;
        }));
    }

    /** Texts that are padded to one length. */
    record Batch(Tensor ids, Tensor isToken) {}

    /** @param padding the token that is appended to shorter texts */
    static Batch batch(RemoteMachine machine, int padding, List<int[]> texts) {
        int longest = texts.stream().mapToInt(ids -> ids.length).max().orElse(0);
        if (longest == 0) {
            throw new OutpostException(FaultKind.USER, "embed: a text with tokens is needed");
        }
        long[] ids = new long[texts.size() * longest];
        boolean[] isToken = new boolean[ids.length];
        Arrays.fill(ids, padding);
        for (int text = 0; text < texts.size(); text++) {
            for (int place = 0; place < texts.get(text).length; place++) {
                ids[text * longest + place] = texts.get(text)[place];
                isToken[text * longest + place] = true;
            }
        }
        return new Batch(machine.tensor(ids, texts.size(), longest), machine.tensor(isToken, texts.size(), longest));
    }

    /** Releases the weights. */
    @Override
    public void close() {
        tokenizer.close();
        WeightLoader.close(encoder);
    }
}
