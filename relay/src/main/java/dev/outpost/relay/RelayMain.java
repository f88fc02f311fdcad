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
            "OUTPOST_RELAY_SECRET holds the secret that the backend signs by; several, separated by commas, while it is"
                    + " changed."
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

    @Option(names = "--host", defaultValue = "${env:OUTPOST_RELAY_HOST:-0.0.0.0}", description = "Where to listen.")
    private String host;

    @Option(names = "--port", defaultValue = "${env:OUTPOST_RELAY_PORT:-8443}", description = "0 takes a free one.")
    private int port;

    @Option(
            names = "--targets",
            paramLabel = "NETWORKS",
            defaultValue = "${env:OUTPOST_RELAY_TARGETS:-}",
            description =
                    "Where machines are, such as 10.0.0.0/8,fd00::/8. All but this host and its link unless given.")
    private String targets;

    @Option(
            names = "--connections",
            paramLabel = "NUMBER",
            defaultValue = "${env:OUTPOST_RELAY_CONNECTIONS:-2000}",
            description = "Open at once, of all clients; a session has two.")
    private int connections;

    @Option(
            names = "--connections-per-peer",
            paramLabel = "NUMBER",
            defaultValue = "${env:OUTPOST_RELAY_CONNECTIONS_PER_PEER:-500}",
            description = "Open at once, of one address.")
    private int connectionsPerPeer;

    @Option(
            names = "--trusted-proxies",
            paramLabel = "NETWORKS",
            defaultValue = "${env:OUTPOST_RELAY_TRUSTED_PROXIES:-}",
            description = "Where load balancers are, such as 10.0.0.0/8; their connections count in total only.")
    private String trustedProxies;

    @Option(
            names = "--proxy-protocol",
            defaultValue = "${env:OUTPOST_RELAY_PROXY_PROTOCOL:-false}",
            description =
                    "Trusted proxies send the PROXY protocol, so that the limit of an address goes by the client's.")
    private boolean isProxyProtocol;

    @Option(
            names = "--hello-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:OUTPOST_RELAY_HELLO_TIMEOUT:-10}",
            description = "How long a client may take to name its machine.")
    private int helloSeconds;

    @Option(
            names = "--idle-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:OUTPOST_RELAY_IDLE_TIMEOUT:-300}",
            description = "How long a connection stays over which nothing passes.")
    private int idleSeconds;

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            defaultValue = "${env:OUTPOST_RELAY_MANAGEMENT_PORT}",
            description = "Serve counters there, under /metrics.")
    private Integer managementPort;

    @Option(names = "--new-secret", description = "Print a secret that was drawn, and exit.")
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
                    SECRET + " is not set: it holds the backend's secret; ./outpost relay --new-secret draws one");
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
