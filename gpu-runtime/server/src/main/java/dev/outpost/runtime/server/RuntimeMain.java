package dev.outpost.runtime.server;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ./outpost runtime}: options become configuration, then Quarkus starts. */
@QuarkusMain
@Command(
        name = "outpost runtime",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Serves a machine to clients, with TLS and a token, until it is told to stop.",
        footer = {
            "",
            "Everything else is configuration: outpost.runtime.* as system properties, OUTPOST_RUNTIME_* as variables."
        })
public final class RuntimeMain implements Callable<Integer> {
    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Where to serve; 0.0.0.0, all addresses, by default.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port for sessions; 50051 by default, 0 for a free one.")
    private Integer port;

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            description = "The port for health, metrics and REST; a free one by default.")
    private Integer managementPort;

    @Option(
            names = "--socket",
            paramLabel = "FILE",
            description = "A Unix domain socket to serve callers on this host, too.")
    private Path socket;

    @Option(names = "--engine", paramLabel = "NAME", description = "What computes: cpu (the default) or reference.")
    private String engine;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description = "How long a session outlives its client's last sign, such as 30s.")
    private String lease;

    @Option(names = "--quota", paramLabel = "BYTES", description = "What the values of one session may take.")
    private Long quota;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "The certificate and its chain in PEM; made at the start by default.")
    private Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "The certificate's private key in PEM.")
    private Path key;

    public static void main(String... arguments) {
        System.exit(new CommandLine(new RuntimeMain()).execute(arguments));
    }

    @Override
    public Integer call() {
        set("host", host);
        set("port", port);
        set("management-port", managementPort);
        set("socket", socket);
        set("engine", engine);
        set("lease", lease);
        set("limits.quota-bytes", quota);
        set("certificate", certificate);
        set("key", key);
        Quarkus.run(RuntimeApplication.class, RuntimeMain::ended);
        return 0;
    }

    /** What keeps a machine from serving is said in a sentence; only a defect of ours shows where it is. */
    private static void ended(int status, Throwable problem) {
        switch (root(problem)) {
            case null -> {}
            case IOException refused -> explain(refused);
            case IllegalArgumentException bad -> explain(bad);
            case DateTimeException bad -> explain(bad);
            default -> problem.printStackTrace();
        }
        System.exit(status);
    }

    private static Throwable root(Throwable problem) {
        Throwable root = problem;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static void explain(Exception problem) {
        System.err.println("outpost runtime: " + problem.getMessage());
    }

    private static void set(String name, Object value) {
        if (value != null) {
            System.setProperty("outpost.runtime." + name, value.toString());
        }
    }
}
