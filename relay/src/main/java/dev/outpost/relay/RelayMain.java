package dev.outpost.relay;

import dev.outpost.relay.name.RelaySecret;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ./outpost relay}. */
@Command(
        name = "outpost relay",
        mixinStandardHelpOptions = true,
        description =
                "Pass clients of a backend through to machines that they cannot reach, without decrypting anything.",
        footer = {
            "",
            "OUTPOST_RELAY_SECRET holds the secret that the backend signs with; during a change, several, separated by"
                    + " commas."
        })
public final class RelayMain implements Callable<Integer> {
    private static final String SECRET = "OUTPOST_RELAY_SECRET";
    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    /** The message about a variable that Kubernetes sets for a Service of the namespace and that has the name of a setting. */
    private static final String SERVICE_LINK =
            "OUTPOST_RELAY_PORT is \"%s\", which Kubernetes sets for the Service outpost-relay;"
                    + " the variable is also a setting: set enableServiceLinks: false in the pod, or give the variable a value in its"
                    + " container";

    @Option(
            names = "--host",
            defaultValue = "${env:OUTPOST_RELAY_HOST:-0.0.0.0}",
            description = "The address to listen at.")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "${env:OUTPOST_RELAY_PORT:-8443}",
            description = "The port; 0 chooses a free one.")
    private int port;

    @Option(
            names = "--targets",
            paramLabel = "NETWORKS",
            defaultValue = "${env:OUTPOST_RELAY_TARGETS:-}",
            description =
                    "The networks of machines, such as 10.0.0.0/8,fd00::/8. By default all but this host and its link.")
    private String targets;

    @Option(
            names = "--connections",
            paramLabel = "NUMBER",
            defaultValue = "${env:OUTPOST_RELAY_CONNECTIONS:-2000}",
            description = "The maximum number of open connections; a session has two.")
    private int connections;

    @Option(
            names = "--connections-per-peer",
            paramLabel = "NUMBER",
            defaultValue = "${env:OUTPOST_RELAY_CONNECTIONS_PER_PEER:-500}",
            description = "The maximum number of open connections of one address.")
    private int connectionsPerPeer;

    @Option(
            names = "--trusted-proxies",
            paramLabel = "NETWORKS",
            defaultValue = "${env:OUTPOST_RELAY_TRUSTED_PROXIES:-}",
            description = "The networks of load balancers, such as 10.0.0.0/8; only the total limit applies to them.")
    private String trustedProxies;

    @Option(
            names = "--proxy-protocol",
            defaultValue = "${env:OUTPOST_RELAY_PROXY_PROTOCOL:-false}",
            description = "Trusted proxies send the PROXY protocol, so the limit applies to the client's address.")
    private boolean isProxyProtocol;

    @Option(
            names = "--hello-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:OUTPOST_RELAY_HELLO_TIMEOUT:-10}",
            description = "The time in which a client must name its machine.")
    private int helloSeconds;

    @Option(
            names = "--idle-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:OUTPOST_RELAY_IDLE_TIMEOUT:-300}",
            description = "The time after which an idle connection is closed.")
    private int idleSeconds;

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            defaultValue = "${env:OUTPOST_RELAY_MANAGEMENT_PORT}",
            description = "The port that serves counters under /metrics.")
    private Integer managementPort;

    @Option(names = "--new-secret", description = "Print a new random secret, and exit.")
    private boolean isNewSecret;

    public static void main(String... arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new RelayMain());
        CommandLine.IParameterExceptionHandler standard = line.getParameterExceptionHandler();
        return line.setParameterExceptionHandler((refused, arguments) -> {
                    boolean isLink = isServiceLink(refused);
                    if (isLink) {
                        line.getErr().println("outpost relay: " + SERVICE_LINK.formatted(refused.getValue()));
                    }
                    return isLink ? BAD_USAGE : standard.handleParseException(refused, arguments);
                })
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("outpost relay: " + failure.getMessage());
                    return FAILED;
                });
    }

    private static boolean isServiceLink(CommandLine.ParameterException refused) {
        return refused.getValue() != null && refused.getValue().matches("(tcp|udp|sctp)://\\S+");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isNewSecret) {
            System.out.println(RelaySecret.draw(new SecureRandom()).text());
            return 0;
        }
        Relay relay = Relay.start(settings());
        if (managementPort != null) {
            System.out.println("metrics   "
                    + RelayManagement.start(host, managementPort, relay.counters())
                            .port());
        }
        System.out.println("relay     " + host + ":" + relay.port());
        System.out.flush();
        endOnSignal(relay);
        new CountDownLatch(1).await();
        return 0;
    }

    private RelaySettings settings() {
        return new RelaySettings(
                host,
                port,
                secrets(),
                targets.isBlank() ? TargetNetworks.anyMachine() : TargetNetworks.parse(targets),
                connections,
                connectionsPerPeer,
                Duration.ofSeconds(helloSeconds),
                Duration.ofSeconds(idleSeconds),
                trustedProxies.isBlank() ? Optional.empty() : Optional.of(TargetNetworks.parse(trustedProxies)),
                isProxyProtocol);
    }

    private static List<RelaySecret> secrets() {
        String text = System.getenv(SECRET);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException(
                    SECRET + " is not set: it holds the backend's secret; ./outpost relay --new-secret creates one");
        }
        return RelaySecret.parseAll(text);
    }

    /**
     * On a signal, stops listening and waits a while for open connections to end. Clients then connect to another
     * relay.
     */
    private static void endOnSignal(Relay relay) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            relay.stopListening();
            relay.drain(DRAIN);
            relay.close();
        }));
    }
}
