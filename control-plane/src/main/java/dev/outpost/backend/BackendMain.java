package dev.outpost.backend;

import dev.outpost.backend.postgres.PostgresServer;
import dev.outpost.backend.postgres.PostgresSupervisor;
import dev.outpost.backend.postgres.Tools;
import dev.outpost.backend.simulation.Simulator;
import dev.outpost.channel.ServerOptions;
import dev.outpost.channel.ServiceLinks;
import dev.outpost.channel.guard.NettyExtensions;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The command {@code ./outpost backend}: options become configuration, a database is started, then Quarkus. */
@QuarkusMain
public final class BackendMain {
    private static final String SIMULATE = "simulate";
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;
    private static final int STOP_SECONDS = 60;
    private static final int PORT = 8750;

    static final ServerOptions OPTIONS = new ServerOptions("outpost.backend.", """
                    Usage: outpost backend [OPTIONS]
                    Serves machines to a team: an API, a dashboard, and a database that it starts by itself.
                    """, 22, true)
            .option("host", "ADDRESS", "The address to serve at; 127.0.0.1 by default, 0.0.0.0 for all addresses.")
            .option("port", "NUMBER", "The port of the API and the dashboard; 8750 by default, 0 for a free one.")
            .option("data", "FOLDER", "Where the embedded database and the admin key are kept.")
            .option("machines", "NUMBER", "local.machines", "How many machines this host has room for; 4 by default.")
            .option("restore", "FILE", "Begin with what ./outpost backup wrote; the database must be new.")
            .option("once-ready", "COMMAND", """
                    Run a command of the shell when it serves, with OUTPOST_API and OUTPOST_API_KEY set, and
                                             end with it and its status.""");

    private BackendMain() {}

    public static void main(String... arguments) {
        if (arguments.length > 0 && arguments[0].equals(SIMULATE)) {
            // Quarkus sets this property only when it starts.
            System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
            System.exit(Simulator.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        Optional<Map<String, String>> read = parse(arguments);
        if (read.isEmpty()) {
            System.out.print(OPTIONS.help());
            return;
        }
        read.get().forEach(System::setProperty);
        refuseServiceLink();
        refuseSecretsThatShow();
        serveByTls();
        refuseUsedPort();
        trace();
        NettyExtensions.enable();
        Optional<PostgresSupervisor> server = startDatabase();
        server.ifPresent(EmbeddedDatabase::set);
        CountDownLatch over = new CountDownLatch(1);
        // After a signal the JVM waits for this hook, which waits until the database is stopped.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(over)));
        Quarkus.run(BackendApplication.class, (status, problem) -> {
            explain(problem);
            server.ifPresent(BackendMain::stop);
            over.countDown();
            System.exit(problem == null ? status : FAILED);
        });
    }

    private static Optional<Map<String, String>> parse(String... arguments) {
        try {
            return OPTIONS.parse(arguments);
        } catch (IllegalArgumentException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
            System.exit(BAD_USAGE);
            throw failure;
        }
    }

    private static void refuseServiceLink() {
        try {
            ServiceLinks.refuse("outpost.backend.port");
        } catch (IllegalArgumentException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
            System.exit(BAD_USAGE);
        }
    }

    /** A backup must not be restored by a backend that cannot serve afterwards, because its database is used then. */
    private static void refuseUsedPort() {
        try {
            ListenPort.requireFree(
                    setting("host").orElse("127.0.0.1"),
                    setting("port")
                            .filter(text -> text.matches("\\d{1,5}"))
                            .map(Integer::valueOf)
                            .orElse(PORT));
        } catch (IOException | IllegalArgumentException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
            System.exit(FAILED);
        }
    }

    private static void refuseSecretsThatShow() {
        try {
            SecretSettings.requireNoProperties(System::getProperty);
            SecretSettings.checkDatabaseUrl(setting("database.url"));
        } catch (IllegalArgumentException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
            System.exit(BAD_USAGE);
        }
    }

    /** Exports traces only if OpenTelemetry's own variable names an endpoint. */
    private static void trace() {
        String endpoint = System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT");
        if (endpoint != null && !endpoint.isBlank()) {
            System.setProperty("quarkus.otel.sdk.disabled", "false");
        }
    }

    /** Disables plain HTTP if a certificate is configured. */
    private static void serveByTls() {
        Optional<String> certificate = setting("tls.certificate");
        if (certificate.isPresent() != setting("tls.key").isPresent()) {
            System.err.println(
                    "outpost backend: OUTPOST_BACKEND_TLS_CERTIFICATE and OUTPOST_BACKEND_TLS_KEY belong together:"
                            + " only one of them is set");
            System.exit(BAD_USAGE);
        }
        certificate.ifPresent(file -> System.setProperty("quarkus.http.insecure-requests", "disabled"));
    }

    /** Starts the embedded database, unless another one is configured. */
    private static Optional<PostgresSupervisor> startDatabase() {
        if (setting("database.url").isPresent()) {
            return Optional.empty();
        }
        try {
            Path folder = DataFolder.of(setting("data").map(Path::of));
            PostgresServer server = PostgresServer.start(folder.resolve("postgres"), Tools.ofPath());
            System.setProperty("outpost.backend.data", folder.toString());
            System.setProperty("outpost.backend.database.url", server.url());
            System.setProperty("outpost.backend.database.user", server.user());
            System.setProperty("outpost.backend.database.password", server.password());
            return Optional.of(PostgresSupervisor.of(server));
        } catch (IOException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
            System.exit(FAILED);
            return Optional.empty();
        }
    }

    /** Reads a setting before the configuration exists, from the same places as {@link BackendConfig}. */
    private static Optional<String> setting(String name) {
        String property = "outpost.backend." + name;
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(
                        System.getenv(property.toUpperCase(Locale.ROOT).replace('.', '_'))))
                .filter(value -> !value.isBlank());
    }

    private static void stop(PostgresSupervisor server) {
        try {
            server.close();
        } catch (IOException failure) {
            System.err.println("outpost backend: " + failure.getMessage());
        }
    }

    private static void await(CountDownLatch over) {
        try {
            over.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Prints a sentence about why the backend cannot serve. Only a defect of the backend itself is printed with a
     * stack trace.
     */
    private static void explain(Throwable problem) {
        Throwable root = problem;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        switch (root) {
            case null -> {}
            case IOException refused -> System.err.println("outpost backend: " + refused.getMessage());
            case ConfigValidationException bad -> System.err.println("outpost backend: " + bad.getMessage());
            case IllegalArgumentException bad -> System.err.println("outpost backend: " + bad.getMessage());
            default -> problem.printStackTrace();
        }
    }
}
