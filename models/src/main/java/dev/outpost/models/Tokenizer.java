package dev.outpost.models;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.outpost.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Between text and tokens, by the {@code tokenizer.json} of a model. Thread-safe. */
public final class Tokenizer implements AutoCloseable {
    static final String FILE = "tokenizer.json";

    private final HuggingFaceTokenizer tokenizer;

    private Tokenizer(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    static Tokenizer of(Source source) {
        if (!source.files().containsKey(FILE)) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + ": the model has no " + FILE + ", so it takes tokens instead of text");
        }
        try {
            // Nothing is cut off or filled up unless it is said.
            Map<String, String> options = Map.of("truncation", "false", "padding", "false", "modelMaxLength", "-1");
            return new Tokenizer(
                    HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(source.bytes(FILE)), options));
        } catch (IOException | RuntimeException malformed) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + ": " + FILE + " cannot be used: " + malformed.getMessage(),
                    malformed);
        }
    }

    /** The tokens of a text, with those that the model wants around it. */
    public int[] encode(String text) {
        return encode(text, true);
    }

    /** @param addsSpecial whether tokens are put around it, such as one that begins a text */
    public int[] encode(String text, boolean addsSpecial) {
        Encoding encoding = tokenizer.encode(text, addsSpecial, false);
        return Arrays.stream(encoding.getIds()).mapToInt(Math::toIntExact).toArray();
    }

    /** The text of tokens, without special ones. A part of a character is U+FFFD. */
    public String decode(int[] ids) {
        return tokenizer.decode(Arrays.stream(ids).asLongStream().toArray(), true);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
