package dev.outpost.serving.engine;

import java.util.List;

/**
 * An adapter of a model that is served.
 *
 * @param model the name of its model
 * @param name its name in requests after the model's name, such as {@code sql} in {@code SmolLM2-135M:sql}
 * @param uri the location of its files
 */
record AdapterName(String model, String name, String uri) {
    /**
     * Reads {@code NAME=URI}, or {@code MODEL:NAME=URI}.
     *
     * @param models the names of the models; with a single model, {@code MODEL:} may be left out
     */
    static AdapterName parse(String text, List<String> models) {
        int equals = text.indexOf('=');
        String message = equals < 0 ? "" : text.substring(0, equals).strip();
        int colon = message.lastIndexOf(':');
        String name = message.substring(colon + 1);
        if (equals < 0 || name.isBlank() || equals == text.length() - 1) {
            throw new IllegalArgumentException("adapter: expected NAME=URI or MODEL:NAME=URI, got \"" + text + "\"");
        }
        if (colon < 0 && models.size() > 1) {
            throw new IllegalArgumentException("adapter: which model is \"" + message + "\" of? MODEL:" + message
                    + "=URI, with one of " + String.join(", ", models));
        }
        String model = colon < 0 ? models.getFirst() : message.substring(0, colon);
        if (!models.contains(model)) {
            throw new IllegalArgumentException("adapter: \"" + message + "\" is of the model " + model
                    + ", and there is " + String.join(", ", models));
        }
        return new AdapterName(model, name, text.substring(equals + 1).strip());
    }

    /** Returns its full name in requests. */
    String full() {
        return model + ":" + name;
    }
}
