package dev.outpost.models.data;

import dev.outpost.HostTensor;
import dev.outpost.data.Collate;
import dev.outpost.data.Dataset;
import dev.outpost.models.Tokenizer;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;

/**
 * Texts as tokens, and batches of texts of different lengths.
 *
 * <pre>{@code
 * Dataset<int[]> tokens = Tokens.of(texts, tokenizer, 128);
 * for (Tokens.Padded batch : new DataLoader<>(tokens, 16, Tokens.padded(0))) {
 *     model.call(machine.tensor(batch.ids()));
 * }
 * }</pre>
 */
public final class Tokens {
    private Tokens() {}

    /**
     * A batch of texts.
     *
     * @param ids the tokens, int64 {@code [texts, longest]}, padded at the end
     * @param mask true where a token is, bool {@code [texts, longest]}
     * @param lengths the numbers of tokens, int64 {@code [texts]}
     */
    public record Padded(HostTensor ids, HostTensor mask, HostTensor lengths) {}

    /**
     * Returns the tokens of texts. A text is tokenized when it is asked for.
     *
     * @param max the largest number of tokens; the rest of a text is cut off
     */
    public static Dataset<int[]> of(Dataset<String> texts, Tokenizer tokenizer, int max) {
        if (max < 1) {
            throw new OutpostException(FaultKind.USER, "tokens: at least 1 token of a text is kept, got " + max);
        }
        return texts.map(text -> {
            int[] ids = tokenizer.encode(text);
            return ids.length > max ? Arrays.copyOf(ids, max) : ids;
        });
    }

    /** Returns a function that makes batches of texts as long as the longest one. */
    public static Collate<int[], Padded> padded(int padding) {
        return texts -> pad(texts, padding);
    }

    private static Padded pad(List<? extends int[]> texts, int padding) {
        int longest = texts.stream().mapToInt(ids -> ids.length).max().orElseThrow();
        long[] ids = new long[texts.size() * longest];
        boolean[] mask = new boolean[ids.length];
        long[] lengths = new long[texts.size()];
        Arrays.fill(ids, padding);
        for (int text = 0; text < lengths.length; text++) {
            int[] tokens = texts.get(text);
            lengths[text] = tokens.length;
            for (int token = 0; token < tokens.length; token++) {
                ids[text * longest + token] = tokens[token];
            }
            Arrays.fill(mask, text * longest, text * longest + tokens.length, true);
        }
        return new Padded(
                HostTensor.of(ids, lengths.length, longest),
                HostTensor.of(mask, lengths.length, longest),
                HostTensor.of(lengths));
    }
}
