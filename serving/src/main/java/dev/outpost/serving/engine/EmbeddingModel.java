package dev.outpost.serving.engine;

import dev.outpost.Tensor;
import dev.outpost.models.Embedder;
import java.util.ArrayList;
import java.util.List;

/** A model that computes a vector for each text. Thread-safe: calls run one after the other. */
public final class EmbeddingModel implements ServedModel {
    private static final int TOGETHER = 32;

    private final String name;
    private final Embedder embedder;

    EmbeddingModel(String name, Embedder embedder) {
        this.name = name;
        this.embedder = embedder;
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns the number of elements of a vector. */
    public int features() {
        return embedder.features();
    }

    /** Returns all tokens of a text, without truncation. */
    public int[] tokens(String text) {
        return embedder.encode(text);
    }

    /** Returns the maximum number of tokens of a text that are embedded. */
    public int textTokens() {
        return embedder.textTokens();
    }

    /** Truncates tokens to {@link #textTokens}: keeps the first tokens and the special tokens at the end. */
    public int[] truncate(int[] text) {
        return embedder.truncate(text);
    }

    /** Returns a vector for each tokenized text. A text has at most {@link #textTokens} tokens. */
    public synchronized List<float[]> embed(List<int[]> texts) {
        List<float[]> vectors = new ArrayList<>();
        for (int from = 0; from < texts.size(); from += TOGETHER) {
            List<int[]> some = texts.subList(from, Math.min(texts.size(), from + TOGETHER));
            for (int[] text : some) {
                if (text.length == 0) {
                    throw new IllegalArgumentException("input: this model takes texts of at least 1 token, got none");
                }
            }
            try (Tensor embedded = embedder.embedTokens(some)) {
                float[] all = embedded.toFloatArray();
                for (int text = 0; text < some.size(); text++) {
                    float[] vector = new float[embedder.features()];
                    System.arraycopy(all, text * vector.length, vector, 0, vector.length);
                    vectors.add(vector);
                }
            }
        }
        return vectors;
    }

    @Override
    public synchronized void close() {
        embedder.close();
    }
}
