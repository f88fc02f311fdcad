package dev.outpost.models.plot;

/** The units of metrics, as far as their names tell. */
final class Units {
    private Units() {}

    /** Returns the label of an axis, such as {@code pause (s)} for {@code pause_seconds}. */
    static String label(String name) {
        String words = name.replace('_', ' ');
        if (words.endsWith(" per second")) {
            return words.replaceFirst(" per second$", "/s");
        }
        if (words.endsWith("milliseconds")) {
            return quantity(words, "milliseconds", "time") + " (ms)";
        }
        if (words.endsWith("seconds")) {
            return quantity(words, "seconds", "time") + " (s)";
        }
        if (words.endsWith("bytes")) {
            return quantity(words, "bytes", "size") + " (B)";
        }
        return words;
    }

    private static String quantity(String words, String unit, String otherwise) {
        String rest = words.substring(0, words.length() - unit.length()).strip();
        return rest.isEmpty() ? otherwise : rest;
    }
}
