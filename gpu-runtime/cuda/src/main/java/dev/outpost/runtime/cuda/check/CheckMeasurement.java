package dev.outpost.runtime.cuda.check;

import java.util.Locale;
import java.util.Map;

/** The result of a step of the self test: a sentence, and figures by name and unit. */
record CheckMeasurement(String detail, Map<String, Double> figures) {

    static CheckMeasurement of(Map<String, Double> figures, String format, Object... arguments) {
        return new CheckMeasurement(String.format(Locale.ROOT, format, arguments), figures);
    }
}
