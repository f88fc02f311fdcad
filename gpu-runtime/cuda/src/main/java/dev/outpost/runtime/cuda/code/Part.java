package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.math.Coefficients;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A file of text from which sources are assembled, in this order. */
public enum Part {
    VALUES,
    FLOATS,
    INTEGERS,
    POLYNOMIALS,
    ERROR_FUNCTIONS,
    LOG_GAMMA,
    POLYGAMMA,
    AREA_FUNCTIONS,
    BESSEL,
    MODIFIED_BESSEL,
    AIRY,
    NORMAL_QUANTILE,
    INCOMPLETE_GAMMA,
    ORTHOGONAL,
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
    QUANTIZED_MATMUL,
    CONVOLUTION,
    CONVOLUTION_TILES,
    MAX_POOL,
    PAGES,
    PAGED_ATTENTION,
    ATTENTION_MASK,
    ATTENTION_PRODUCTS,
    ATTENTION,
    ATTENTION_GRADIENT,
    ATTENTION_FRAGMENTS,
    ATTENTION_TILES,
    ATTENTION_STEPS,
    ATTENTION_MMA,
    PAGE_TILES,
    PAGED_ATTENTION_MMA,
    PAGED_ATTENTION_PARTS,
    ATTENTION_GRADIENT_MMA,
    COLLECT;

    private static final Pattern SPECIAL = Pattern.compile("^(?:PAIR_)?SPECIAL\\((\\w+),", Pattern.MULTILINE);
    private static final Map<String, Part> SPECIALS = specials();

    private final String text = read(name().toLowerCase(Locale.ROOT) + ".cu");

    String text() {
        return text;
    }

    /** Returns the part whose functions this one calls, apart from polynomials. */
    Optional<Part> base() {
        return switch (this) {
            case NORMAL_QUANTILE -> Optional.of(ERROR_FUNCTIONS);
            case INCOMPLETE_GAMMA -> Optional.of(LOG_GAMMA);
            default -> Optional.empty();
        };
    }

    /** Returns the part with a special function for an op: a line that begins with {@code SPECIAL(label, ...)}. */
    static Optional<Part> defining(String label) {
        return Optional.ofNullable(SPECIALS.get(label));
    }

    private static Map<String, Part> specials() {
        Map<String, Part> specials = new HashMap<>();
        for (Part part : values()) {
            SPECIAL.matcher(part.text).results().forEach(special -> specials.put(special.group(1), part));
        }
        return Map.copyOf(specials);
    }

    private static String read(String file) {
        try (InputStream in = Part.class.getResourceAsStream(file)) {
            return withCoefficients(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Replaces each line {@code COEFFICIENTS(name)} by the array with those {@link Coefficients}. */
    static String withCoefficients(String text) {
        return Pattern.compile("^COEFFICIENTS\\((\\w+)\\)$", Pattern.MULTILINE)
                .matcher(text)
                .replaceAll(line -> "static __device__ const f64 " + line.group(1) + "[] = {\n    "
                        + String.join(",\n    ", Coefficients.texts(line.group(1))) + "\n};");
    }
}
