package dev.outpost.cli.support;

import dev.outpost.provider.Endpoint;
import dev.outpost.transport.EndpointAddress;
import dev.outpost.transport.EndpointProvider;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a running machine. */
public final class EndpointOptions {
    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            description = "A machine that runs already, or unix:FILE; $OUTPOST_ENDPOINT unless given.")
    private String endpoint;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "Its connection token; $OUTPOST_TOKEN unless given, which nobody else on this host can read.")
    private String token;

    public boolean isGiven() {
        return endpoint != null;
    }

    /** Returns the endpoint of the options, or else the endpoint of the environment. */
    public Endpoint endpoint() {
        return another(name(), null);
    }

    /** Returns the address of the options, or else the address of the environment. */
    public String name() {
        return Optional.ofNullable(endpoint)
                .or(() -> variable(EndpointProvider.ENDPOINT_VARIABLE))
                .orElseThrow(() -> new IllegalArgumentException(
                        "endpoint: say which machine by --endpoint or " + EndpointProvider.ENDPOINT_VARIABLE));
    }

    /**
     * Returns the endpoint of a further machine. It uses the token of the first machine if {@code ownToken} is null.
     */
    public Endpoint another(String address, @Nullable String ownToken) {
        return EndpointAddress.parse(
                address,
                Optional.ofNullable(ownToken)
                        .or(() -> Optional.ofNullable(token))
                        .or(() -> variable(EndpointProvider.TOKEN_VARIABLE))
                        .orElse(null),
                variable(EndpointAddress.AUTHORITY_VARIABLE).map(Path::of).orElse(null));
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
