package dev.outpost.runtime.math;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The coefficients of polynomials and of Chebyshev series, which the CPU code and the CUDA code share. */
public final class Coefficients {
    private static final Map<String, List<String>> SERIES = read();

    private Coefficients() {}

    static double[] of(String name) {
        return texts(name).stream().mapToDouble(Double::parseDouble).toArray();
    }

    /** Returns the coefficients as the file has them, the constant one first. */
    public static List<String> texts(String name) {
        List<String> texts = SERIES.get(name);
        if (texts == null) {
            throw new IllegalArgumentException("there are no coefficients " + name);
        }
        return texts;
    }

    private static Map<String, List<String>> read() {
        Map<String, List<String>> series = new HashMap<>();
        try (InputStream in = Coefficients.class.getResourceAsStream("coefficients.txt")) {
            List<String> last = List.of();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith(" ")) {
                    last.add(line.strip());
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    last = new ArrayList<>();
                    series.put(line, last);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return series;
    }
}
