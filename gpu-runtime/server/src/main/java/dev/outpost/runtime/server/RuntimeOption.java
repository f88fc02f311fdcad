package dev.outpost.runtime.server;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of {@code ./outpost runtime}; each stands for a setting of {@link RuntimeConfig}. */
enum RuntimeOption {
    HOST("ADDRESS", "host", "Where to serve; 127.0.0.1 by default, 0.0.0.0 for all addresses."),
    PORT("NUMBER", "port", "The port for sessions; 50051 by default, 0 for a free one."),
    MANAGEMENT_PORT("NUMBER", "management-port", "The port for health, metrics and REST; a free one by default."),
    SOCKET("FILE", "socket", "A Unix domain socket to serve callers on this host, too."),
    ENGINE("NAME", "engine", "What computes: cpu (the default), cuda or reference."),
    LEASE("TIME", "lease", "How long a session outlives its client's last sign, such as 30s."),
    QUOTA("BYTES", "limits.quota-bytes", "What the values of one session may take."),
    CERTIFICATE("FILE", "certificate", "The certificate and its chain in PEM; made at the start by default."),
    KEY("FILE", "key", "The certificate's private key in PEM."),
    ANNOUNCE("", "lan.announce", "Announce the machine by mDNS, run ONNX models, and pair clients by a code."),
    NAME("NAME", "lan.name", "What the machine is announced as; the host's name by default.");

    private final String label;
    private final String setting;
    private final String description;

    RuntimeOption(String label, String setting, String description) {
        this.label = label;
        this.setting = setting;
        this.description = description;
    }

    /** As it is written, such as {@code --management-port}. */
    String flag() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The system property that it sets. */
    String property() {
        return "outpost.runtime." + setting;
    }

    /** Whether it is said without a value. */
    boolean isFlag() {
        return label.isEmpty();
    }

    /** Refuses what is seen to be wrong without asking anybody. */
    void check(String value) {
        boolean isNumber = label.equals("NUMBER") || label.equals("BYTES");
        if (isNumber && !value.matches("\\d{1,18}")) {
            throw new IllegalArgumentException(flag() + ": expected a number, got \"" + value + "\"");
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(flag() + ": expected " + label + ", got nothing");
        }
    }

    String help() {
        return String.format("  %-26s %s", (flag() + " " + label).strip(), description);
    }

    static Optional<RuntimeOption> of(String flag) {
        return Stream.of(values()).filter(option -> option.flag().equals(flag)).findFirst();
    }
}
