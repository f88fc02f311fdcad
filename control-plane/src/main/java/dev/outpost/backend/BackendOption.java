package dev.outpost.backend;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of {@code ./outpost backend}; each stands for a setting of {@link BackendConfig}. */
enum BackendOption {
    HOST("ADDRESS", "host", "Where to serve; 127.0.0.1 by default, 0.0.0.0 for all addresses."),
    PORT("NUMBER", "port", "The port of the API and the dashboard; 8750 by default, 0 for a free one."),
    DATA("FOLDER", "data", "Where the embedded database and the admin key are kept."),
    MACHINES("NUMBER", "local.machines", "How many machines this host has room for; 4 by default."),
    RESTORE("FILE", "restore", "Begin with what ./outpost backup wrote; the database must be new.");

    private final String label;
    private final String setting;
    private final String description;

    BackendOption(String label, String setting, String description) {
        this.label = label;
        this.setting = setting;
        this.description = description;
    }

    String flag() {
        return "--" + name().toLowerCase(Locale.ROOT);
    }

    /** The system property that it sets. */
    String property() {
        return "outpost.backend." + setting;
    }

    void check(String value) {
        if (label.equals("NUMBER") && !value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(flag() + ": expected a number, got \"" + value + "\"");
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(flag() + ": expected " + label + ", got nothing");
        }
    }

    String help() {
        return String.format("  %-22s %s", flag() + " " + label, description);
    }

    static Optional<BackendOption> of(String flag) {
        return Stream.of(values()).filter(option -> option.flag().equals(flag)).findFirst();
    }
}
