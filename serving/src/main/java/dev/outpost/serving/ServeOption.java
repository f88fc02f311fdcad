package dev.outpost.serving;

import dev.outpost.serving.config.ServingConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of {@code ./outpost serve}; each stands for a setting of {@link ServingConfig}. */
enum ServeOption {
    MODEL("URI", "model", "The model, or NAME=URI; several by several options."),
    ADAPTER("NAME=URI", "adapter", "A LoRA adapter of the model, or MODEL:NAME=URI; several by several options."),
    MACHINE("PROVIDER:GPU", "machine", "Where to compute; mock:any by default."),
    ENDPOINT("HOST:PORT", "endpoint", "A machine that runs already, or unix:FILE."),
    HOST("ADDRESS", "host", "Where to serve; 127.0.0.1 by default, 0.0.0.0 for all addresses."),
    PORT("NUMBER", "port", "The port of the API; 8000 by default, 0 for a free one."),
    DTYPE("DTYPE", "dtype", "Cast weights to it on their way, such as bfloat16."),
    QUANTIZE("int8|int4", "quantize", "Quantize the weights of layers on the machine as they are read."),
    TEXTS("NUMBER", "texts", "How many texts are generated at a time; 16 by default."),
    TEXT_TOKENS("NUMBER", "text-tokens", "How many tokens a text can have, its prompt included."),
    CACHE_TOKENS("NUMBER", "cache-tokens", "How many tokens all texts of a model can have together."),
    CACHE_MEMORY("SIZE", "cache-memory", "The memory for texts of all models together, such as 8G; instead of tokens."),
    STEP_TOKENS("NUMBER", "step-tokens", "How many tokens a step computes; 256 by default."),
    WAITING("NUMBER", "waiting", "How many requests wait at most; 256 by default."),
    API_KEYS_FILE("FILE", "api-keys-file", "A key in each line, as NAME:SECRET; without any, everybody is let in.");

    private final String label;
    private final String setting;
    private final String description;

    ServeOption(String label, String setting, String description) {
        this.label = label;
        this.setting = setting;
        this.description = description;
    }

    String flag() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The system property that it sets. */
    String property() {
        return "outpost.serving." + setting;
    }

    /** Whether it may be said several times. */
    boolean isList() {
        return this == MODEL || this == ADAPTER;
    }

    void check(String value) {
        if (label.equals("NUMBER") && !value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(flag() + ": expected a number, got \"" + value + "\"");
        }
        if (label.equals("SIZE") && !value.matches("\\d{1,9}[KMGT]?")) {
            throw new IllegalArgumentException(flag() + ": expected a size such as 8G, got \"" + value + "\"");
        }
        if (this == QUANTIZE && !label.contains(value) || value.isBlank()) {
            throw new IllegalArgumentException(
                    flag() + ": expected " + label + ", got " + (value.isBlank() ? "nothing" : "\"" + value + "\""));
        }
    }

    String help() {
        return String.format("  %-26s %s", flag() + " " + label, description);
    }

    static Optional<ServeOption> of(String flag) {
        return Stream.of(values()).filter(option -> option.flag().equals(flag)).findFirst();
    }
}
