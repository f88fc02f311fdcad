package dev.outpost.runtime.cuda.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A file of text that sources are put together from, in this order. */
public enum Part {
    VALUES,
    FLOATS,
    INTEGERS,
    POLYNOMIALS,
    ERROR_FUNCTIONS,
    LOG_GAMMA,
    POLYGAMMA,
    AREA_FUNCTIONS,
    PHILOX,
    KEYS,
    FILL,
    ARANGE,
    RANDOM,
    REDUCE,
    ROWS,
    ARG_REDUCE,
    CUMULATIVE,
    CHECK_INDEX,
    GATHER,
    SCATTER,
    NONZERO,
    SORT,
    MATMUL,
    CONVOLUTION,
    CONVOLUTION_TILES,
    MAX_POOL,
    PAGED_ATTENTION,
    ATTENTION_MASK,
    ATTENTION_PRODUCTS,
    ATTENTION,
    ATTENTION_GRADIENT,
    ATTENTION_FRAGMENTS,
    ATTENTION_MMA,
    ATTENTION_GRADIENT_MMA,
    COLLECT;

    private final String text = read(name().toLowerCase(Locale.ROOT) + ".cu");

    String text() {
        return text;
    }

    private static String read(String file) {
        try (InputStream in = Part.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
