package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Encoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/**
 * Scores how well texts fit a query (a reranker). The encoder reads query and text together: BERT, RoBERTa or XLM-RoBERTa
 * with one label.
 *
 * <pre>{@code
 * try (var reranker = CrossEncoder.load(machine, "hf://BAAI/bge-reranker-base")) {
 *     float[] scores = reranker.score("how are pages shared?", passages);
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class CrossEncoder implements AutoCloseable {
    /** The number of pairs that are computed together. */
    private static final int BATCH = 32;

    private final RemoteMachine machine;
    private final Ranker ranker;
    private final Tokenizer tokenizer;

    private CrossEncoder(RemoteMachine machine, Ranker ranker, Tokenizer tokenizer) {
        this.machine = machine;
        this.ranker = ranker;
        this.tokenizer = tokenizer;
    }

    /** Loads a model and its tokenizer, in the dtype of the stored weights. Waits for the machine. */
    public static CrossEncoder load(RemoteMachine machine, String uri) {
        return load(machine.open(uri));
    }

    /** Loads a model from an open source, like {@link #load(RemoteMachine, String)}. */
    public static CrossEncoder load(Source source) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        int labels = config.json().path("id2label").size();
        if (labels != 1) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": a reranker has one label, and this model has " + labels);
        }
        Ranker ranker = new Ranker(config);
        WeightLoader.load(ranker, source, WeightLoader.storedDType(source), ranker::nameOf, spare -> true);
        return new CrossEncoder(
                source.machine(),
                ranker,
                Tokenizer.ofPairs(source, Math.min(ranker.encoder.mostPositions(), Tokenizer.mostTokens(source))));
    }

    /** True if the source has an encoder that classifies by one label. */
    public static boolean isIn(Source source) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        return config.json().path("architectures").path(0).asText().endsWith("ForSequenceClassification")
                && config.json().path("id2label").size() == 1
                && Embedder.knows(config.modelType());
    }

    /** Returns the number of tokens of a query and a text together, after truncation. */
    public int tokens(String query, String text) {
        return tokenizer.encodePair(query, text).ids().length;
    }

    /**
     * Returns a score for each text. A larger score means a better fit. Scores are the raw outputs of the model's head. If the model was
     * trained with a sigmoid, apply it to get probabilities. Texts that are too long are truncated. Waits for the machine.
     *
     * {@snippet file="ModelExamplesTest.java" region="score"}
     */
    public float[] score(String query, List<String> texts) {
        float[] scores = new float[texts.size()];
        for (int from = 0; from < texts.size(); from += BATCH) {
            List<Tokenizer.Pair> pairs = texts.subList(from, Math.min(texts.size(), from + BATCH)).stream()
                    .map(text -> tokenizer.encodePair(query, text))
                    .toList();
            try (Tensor some = GradMode.noGrad(() -> score(pairs))) {
                float[] values = some.toFloatArray();
                System.arraycopy(values, 0, scores, from, values.length);
            }
        }
        return scores;
    }

    private Tensor score(List<Tokenizer.Pair> pairs) {
        return Scope.tidy(() -> {
            Embedder.Batch batch = Embedder.batch(
                    machine,
                    ranker.encoder.padding(),
                    pairs.stream().map(Tokenizer.Pair::ids).toList());
            int length = Math.toIntExact(batch.ids().size(1));
            long[] types = new long[pairs.size() * length];
            for (int pair = 0; pair < pairs.size(); pair++) {
                int[] own = pairs.get(pair).types();
                for (int place = 0; place < own.length; place++) {
                    types[pair * length + place] = own[place];
                }
            }
            return ranker.forward(batch, machine.tensor(types, pairs.size(), length));
        });
    }

    /** An encoder with a classification head over its first token. */
    private static final class Ranker extends Module {
        private final Encoder encoder;
        private final Linear dense;
        private final Linear output;
        private final boolean isBert;

        Ranker(ModelConfig config) {
            encoder = register("encoder", Architectures.encoder(config));
            isBert = config.modelType().equals("bert");
            dense = register("dense", new Linear(encoder.features(), encoder.features()));
            output = register("output", new Linear(encoder.features(), 1));
        }

        /** Renames the tensors of the head: BERT stores it in two places, RoBERTa in one. */
        String nameOf(String stored) {
            String kind = stored.substring(stored.lastIndexOf('.') + 1);
            return switch (stored.substring(0, Math.max(0, stored.lastIndexOf('.')))) {
                case "bert.pooler.dense", "classifier.dense" -> "dense." + kind;
                case "classifier", "classifier.out_proj" -> "output." + kind;
                default -> "encoder." + encoder.nameOf(stored);
            };
        }

        Tensor forward(Embedder.Batch batch, Tensor types) {
            Tensor hidden = encoder.hidden(batch.ids(), batch.isToken(), isBert ? types : null);
            Tensor first = hidden.narrow(1, 0, 1).squeeze(1);
            return output.forward(dense.forward(first).tanh()).squeeze(-1).to(DType.FLOAT32);
        }
    }

    /** Releases the weights. */
    @Override
    public void close() {
        tokenizer.close();
        WeightLoader.close(ranker);
    }
}
