package dev.outpost.runtime.cuda.check;

import java.util.Locale;
import java.util.Map;

/** The result of a step of the self test: a sentence, and its figures by name and unit. */
record Measurement(String detail, Map<String, Double> figures) {

    static Measurement of(Map<String, Double> figures, String format, Object... arguments) {
        return new Measurement(String.format(Locale.ROOT, format, arguments), figures);
    }
}
