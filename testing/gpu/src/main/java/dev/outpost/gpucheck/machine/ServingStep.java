package dev.outpost.gpucheck.machine;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows of a step that computes a token of each of several texts and, after them, a part of the prompt of another text.
 *
 * @param ids the tokens
 * @param positions the positions of the tokens in their texts
 * @param texts the number of each token's text
 */
record ServingStep(long[] ids, long[] positions, long[] texts) {
    /** The texts fill from half to all of their contexts, like texts that began one after the other. */
    static ServingStep of(LlamaShape shape, int concurrent) {
        int half = shape.context() / 2;
        int part = Math.min(concurrent, half);
        long[] ids = new long[concurrent + part];
        Arrays.setAll(ids, row -> row % shape.vocabulary());
        long[] positions = IntStream.concat(
                        IntStream.range(0, concurrent).map(text -> half + text * half / concurrent),
                        IntStream.range(half - part, half))
                .asLongStream()
                .toArray();
        long[] texts = new long[concurrent + part];
        Arrays.setAll(texts, row -> Math.min(row, concurrent));
        return new ServingStep(ids, positions, texts);
    }
}
