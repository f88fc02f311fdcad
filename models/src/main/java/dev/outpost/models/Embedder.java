package dev.outpost.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Texts as vectors, by an encoder on a machine. What becomes of the tokens' vectors is what the {@code modules.json} of
 * sentence-transformers says: the first one, the mean, the largest of each feature; and perhaps length 1. Without that file it is
 * the mean.
 *
 * <pre>{@code
 * try (var embedder = Embedder.load(machine, "hf://sentence-transformers/all-MiniLM-L6-v2")) {
 *     float[][] vectors = embedder.embed(List.of("a text", "another one"));
 * }
 * }</pre>
 */
public final class Embedder implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** Texts that are computed together. */
    private static final int BATCH = 32;

    /** The way in which the vectors of a text's tokens become one. */
    private enum Pooling {
        FIRST,
        MEAN,
        MAX
    }

    private final RemoteMachine machine;
    private final Encoder encoder;
    private final Tokenizer tokenizer;
    private final Pooling pooling;
    private final boolean isUnit;

    private Embedder(RemoteMachine machine, Encoder encoder, Tokenizer tokenizer, Pooling pooling, boolean isUnit) {
        this.machine = machine;
        this.encoder = encoder;
        this.tokenizer = tokenizer;
        this.pooling = pooling;
        this.isUnit = isUnit;
    }

    /** Loads an encoder and its tokenizer, in the dtype that it is stored in. Waits. */
    public static Embedder load(RemoteMachine machine, String uri) {
        return load(machine.open(uri));
    }

    /** As {@link #load(RemoteMachine, String)}, from a source that is open. */
    public static Embedder load(Source source) {
        return load(source, null);
    }

    /**
     * As {@link #load(Source)}.
     *
     * @param dtype weights are cast to it on their way; null for the one that they are stored in
     */
    public static Embedder load(Source source, @Nullable DType dtype) {
        Pooling pooling = Pooling.MEAN;
        boolean isUnit = false;
        if (source.files().containsKey("modules.json")) {
            for (JsonNode module : json(source, "modules.json")) {
                String type = module.path("type").asText();
                switch (type.substring(type.lastIndexOf('.') + 1)) {
                    case "Transformer" -> {}
                    case "Pooling" ->
                        pooling = pooling(source, module.path("path").asText());
                    case "Normalize" -> isUnit = true;
                    default ->
                        throw new OutpostException(
                                FaultKind.USER,
                                source.uri() + ": modules.json has a module " + type
                                        + ", and only Transformer, Pooling and Normalize are known");
                }
            }
        }
        return new Embedder(source.machine(), encoder(source, dtype), Tokenizer.of(source), pooling, isUnit);
    }

    private static JsonNode json(Source source, String file) {
        try {
            return MAPPER.readTree(source.text(file));
        } catch (JsonProcessingException malformed) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": " + file + " is no JSON: " + malformed.getOriginalMessage());
        }
    }

    private static Pooling pooling(Source source, String path) {
        JsonNode config = json(source, path + "/config.json");
        if (config.path("pooling_mode_cls_token").asBoolean()) {
            return Pooling.FIRST;
        }
        if (config.path("pooling_mode_max_tokens").asBoolean()) {
            return Pooling.MAX;
        }
        if (config.path("pooling_mode_mean_tokens").asBoolean()) {
            return Pooling.MEAN;
        }
        throw new OutpostException(
                FaultKind.USER,
                source.uri() + ": " + path + " says a pooling that is not known, only cls, max and mean");
    }

    /** The encoder of a source alone, for whoever has tokens. */
    static Encoder encoder(Source source, @Nullable DType dtype) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        Encoder encoder = Architectures.encoder(config);
        DType stored = dtype == null ? Checkpoint.storedDType(source) : dtype;
        Checkpoint.load(encoder, source, stored, encoder::nameOf, spare -> true);
        return encoder;
    }

    /** How many numbers a vector has. */
    public int features() {
        return encoder.features();
    }

    /** Whether models of a type can be loaded. */
    public static boolean knows(String modelType) {
        return Architectures.isEncoder(modelType);
    }

    /** Between text and tokens. */
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /** How many tokens a text can have. */
    public int textTokens() {
        return encoder.mostPositions();
    }

    /** A vector for each text. A text with more tokens than the model has positions is cut off. Waits. */
    public float[][] embed(List<String> texts) {
        float[][] vectors = new float[texts.size()][];
        for (int from = 0; from < texts.size(); from += BATCH) {
            List<String> some = texts.subList(from, Math.min(texts.size(), from + BATCH));
            List<int[]> ids = some.stream().map(this::tokens).toList();
            try (Tensor embedded = embedTokens(ids)) {
                float[] all = embedded.toFloatArray();
                for (int text = 0; text < some.size(); text++) {
                    vectors[from + text] = Arrays.copyOfRange(all, text * features(), (text + 1) * features());
                }
            }
        }
        return vectors;
    }

    private int[] tokens(String text) {
        int[] ids = tokenizer.encode(text);
        return ids.length <= encoder.mostPositions() ? ids : Arrays.copyOf(ids, encoder.mostPositions());
    }

    /** Vectors of texts of tokens, {@code [texts, features]}, float32. Does not wait. */
    public Tensor embedTokens(List<int[]> texts) {
        return GradMode.noGrad(() -> Scope.tidy(() -> {
            Batch batch = batch(machine, encoder, texts);
            Tensor hidden = encoder.hidden(batch.ids, batch.isToken).to(DType.FLOAT32);
            Tensor pooled = pooled(hidden, batch.isToken.unsqueeze(-1));
            return isUnit ? pooled.div(pooled.mul(pooled).sum(-1, true).sqrt().clampMin(1e-12)) : pooled;
        }));
    }

    private Tensor pooled(Tensor hidden, Tensor isToken) {
        return switch (pooling) {
            case FIRST -> hidden.narrow(1, 0, 1).squeeze(1);
            case MAX ->
                hidden.maskedFill(isToken.logicalNot(), Double.NEGATIVE_INFINITY)
                        .amax(1);
            case MEAN -> {
                Tensor weights = isToken.to(DType.FLOAT32);
                yield hidden.mul(weights).sum(1).div(weights.sum(1).clampMin(1e-9));
            }
        };
    }

    /** Texts filled up to one length. */
    record Batch(Tensor ids, Tensor isToken) {}

    static Batch batch(RemoteMachine machine, Encoder encoder, List<int[]> texts) {
        int longest = texts.stream().mapToInt(ids -> ids.length).max().orElse(0);
        if (longest == 0) {
            throw new OutpostException(FaultKind.USER, "embed: a text with tokens is needed");
        }
        long[] ids = new long[texts.size() * longest];
        boolean[] isToken = new boolean[ids.length];
        Arrays.fill(ids, encoder.padding());
        for (int text = 0; text < texts.size(); text++) {
            for (int place = 0; place < texts.get(text).length; place++) {
                ids[text * longest + place] = texts.get(text)[place];
                isToken[text * longest + place] = true;
            }
        }
        return new Batch(machine.tensor(ids, texts.size(), longest), machine.tensor(isToken, texts.size(), longest));
    }

    /** Lets go of the weights. */
    @Override
    public void close() {
        tokenizer.close();
        Checkpoint.close(encoder);
    }
}
