package dev.outpost.transport;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.FrameConnector;
import java.time.Duration;

/** The way to each kind of endpoint. */
public final class Transports {
    private Transports() {}

    /**
     * What opens connections to an endpoint.
     *
     * @param timeout how long one attempt may take
     */
    public static FrameConnector connector(Endpoint endpoint, Duration timeout) {
        return switch (endpoint) {
            case Endpoint.InProcess inProcess -> inProcess.connector();
            case Endpoint.Remote remote -> new GrpcConnector(Channels.to(remote), timeout);
            case Endpoint.Local local -> new GrpcConnector(Channels.to(local), timeout);
        };
    }
}
