package dev.outpost.serving.engine;

import dev.outpost.models.CrossEncoder;
import java.util.List;

/** A model that reads a query and a text together, and scores how well they fit. Thread-safe. */
public final class RerankModel implements ServedModel {
    private final String name;
    private final CrossEncoder encoder;

    RerankModel(String name, CrossEncoder encoder) {
        this.name = name;
        this.encoder = encoder;
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns the number of tokens that the model computes for a query and all texts. The query counts once for each text. */
    public int tokens(String query, List<String> texts) {
        return texts.stream().mapToInt(text -> encoder.tokens(query, text)).sum();
    }

    /**
     * Returns a score from 0 to 1 for each text. Better texts have higher scores. It is the sigmoid of the model's output, as in
     * sentence-transformers.
     */
    public double[] relevance(String query, List<String> texts) {
        float[] scores = encoder.score(query, texts);
        double[] relevance = new double[scores.length];
        for (int text = 0; text < scores.length; text++) {
            relevance[text] = 1 / (1 + Math.exp(-scores[text]));
        }
        return relevance;
    }

    @Override
    public void close() {
        encoder.close();
    }
}
