package dev.outpost.models;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Converts between text and tokens, by the {@code tokenizer.json} of a model or the files of an older tokenizer. Thread-safe. */
public final class Tokenizer implements AutoCloseable {
    private static final String CONFIG = "tokenizer_config.json";

    private final HuggingFaceTokenizer tokenizer;

    private Tokenizer(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    public static Tokenizer of(Source source) {
        // The defaults of the library would truncate and pad texts.
        return of(source, Map.of("truncation", "false", "padding", "false", "modelMaxLength", "-1"));
    }

    /**
     * Returns a tokenizer for pairs of texts. It truncates the second text if both together have more than {@code maxTokens}
     * tokens.
     */
    static Tokenizer ofPairs(Source source, int maxTokens) {
        return of(source, Map.of("truncation", "only_second", "padding", "false", "maxLength", "" + maxTokens));
    }

    private static Tokenizer of(Source source, Map<String, String> options) {
        byte[] json = TokenizerFiles.json(source);
        try {
            return new Tokenizer(HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(json), options));
        } catch (IOException | RuntimeException failure) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": its tokenizer cannot be used: " + failure.getMessage(), failure);
        }
    }

    /**
     * Returns the tokens of a text, with the special tokens that the model expects around it.
     *
     * {@snippet file="ModelExamplesTest.java" region="tokenizer"}
     */
    public int[] encode(String text) {
        return encode(text, true);
    }

    /** @param addsSpecial true to add the special tokens around the text, such as the one that begins it */
    public int[] encode(String text, boolean addsSpecial) {
        Encoding encoding = tokenizer.encode(text, addsSpecial, false);
        return integers(encoding.getIds());
    }

    /**
     * The tokens of two texts in the form that the model expects.
     *
     * @param types 0 for tokens of the first text, and 1 for those of the second if the model distinguishes them
     */
    record Pair(int[] ids, int[] types) {}

    Pair encodePair(String first, String second) {
        Encoding encoding = tokenizer.encode(first, second, true, false);
        return new Pair(integers(encoding.getIds()), integers(encoding.getTypeIds()));
    }

    /** Returns the special tokens that follow each text, such as {@code [SEP]}. */
    int[] closing() {
        int[] whole = encode("a");
        int[] text = encode("a", false);
        for (int at = whole.length - text.length; at >= 0; at--) {
            if (Arrays.equals(whole, at, at + text.length, text, 0, text.length)) {
                return Arrays.copyOfRange(whole, at + text.length, whole.length);
            }
        }
        return new int[0];
    }

    /**
     * Returns the maximum number of tokens of a text from {@code tokenizer_config.json}, or {@code Integer.MAX_VALUE}
     * if it sets no limit.
     */
    static int mostTokens(Source source) {
        if (!source.files().containsKey(CONFIG)) {
            return Integer.MAX_VALUE;
        }
        double max = ModelConfig.parse(source.uri(), source.text(CONFIG)).real("model_max_length", Integer.MAX_VALUE);
        return max >= 1 ? (int) Math.min(max, Integer.MAX_VALUE) : Integer.MAX_VALUE;
    }

    private static int[] integers(long[] values) {
        return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
    }

    /**
     * Returns the text of tokens, without special ones. An incomplete character becomes U+FFFD.
     *
     * {@snippet file="ModelExamplesTest.java" region="tokenizer"}
     */
    public String decode(int[] ids) {
        return decode(ids, true);
    }

    /** @param skipsSpecial true to leave special tokens, such as the one that ends a text, out of the result */
    public String decode(int[] ids, boolean skipsSpecial) {
        return tokenizer.decode(Arrays.stream(ids).asLongStream().toArray(), skipsSpecial);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
