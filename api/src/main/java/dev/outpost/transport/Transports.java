package dev.outpost.transport;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.client.Channels;
import dev.outpost.provider.Endpoint;
import java.time.Duration;

/** Connects to each kind of endpoint. */
public final class Transports {
    private Transports() {}

    /**
     * Opens connections to an endpoint.
     *
     * @param timeout the longest time of one attempt
     */
    public static FrameConnector connector(Endpoint endpoint, Duration timeout) {
        return switch (endpoint) {
            case Endpoint.InProcess inProcess -> inProcess.connector();
            case Endpoint.Remote remote -> channels(remote).connector(timeout);
            case Endpoint.Local local -> channels(local).connector(timeout);
        };
    }

    /** Makes gRPC channels to an endpoint. A machine in this process has none. */
    public static Channels channels(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Remote remote ->
                Channels.tls(
                        remote.host(),
                        remote.port(),
                        remote.trust(),
                        remote.token(),
                        remote.serverName().orElse(null));
            case Endpoint.Local local ->
                Channels.unixSocket(local.socket(), local.token().orElse(null));
            case Endpoint.InProcess inProcess ->
                throw new IllegalArgumentException("a machine in this process is not reached by gRPC");
        };
    }
}
