package dev.outpost.runtime.server;

import dev.outpost.channel.ServerOptions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The command line of {@code ./outpost runtime}. Each option sets a property of {@link RuntimeConfig}. */
final class RuntimeArguments {
    static final String PREFIX = "outpost.runtime.";
    static final ServerOptions OPTIONS = new ServerOptions(PREFIX, """
                    Usage: outpost runtime [OPTIONS]
                    Serves a machine to clients, with TLS and a token, until it is told to stop.
                    """, 26, true)
            .option("host", "ADDRESS", "The address to serve at; 127.0.0.1 by default, 0.0.0.0 for all addresses.")
            .option("port", "NUMBER", "The port for sessions; 50051 by default, 0 for a free one.")
            .option("management-port", "NUMBER", "The port for health, metrics and REST; a free one by default.")
            .option("socket", "FILE", "A Unix domain socket to serve callers on this host, too.")
            .option("engine", "NAME", "The engine: cpu (the default), cuda or reference.")
            .option("lease", "TIME", "The life of a session after its client's last message, such as 30s.")
            .option("quota", "BYTES", "limits.quota-bytes", "The memory for the values of one session.")
            .option("certificate", "FILE", "The certificate and its chain in PEM; made at the start by default.")
            .option("key", "FILE", "The certificate's private key in PEM.")
            .option(
                    "announce",
                    "",
                    "lan.announce",
                    "Announce the machine by mDNS, run ONNX models, and pair clients by a code.")
            .option("name", "NAME", "lan.name", "The name in the announcement; the host's name by default.");

    private static final String HOST = PREFIX + "host";

    private RuntimeArguments() {}

    /** Applies the options to the configuration. A machine that is announced serves all addresses by default. */
    static void apply(Map<String, String> values) {
        values.forEach(System::setProperty);
        boolean isAnnounced = Boolean.parseBoolean(said(PREFIX + "lan.announce"));
        if (isAnnounced && said(HOST).isEmpty()) {
            System.setProperty(HOST, "0.0.0.0");
        }
    }

    /** Returns the value of a property or of its environment variable; empty if neither is set. */
    private static String said(String property) {
        String variable = property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .orElse("");
    }
}
