package dev.outpost.transport;

import dev.outpost.provider.Endpoint;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.io.IOException;

/** Makes gRPC channels to one endpoint, each a transport of its own. */
interface Channels {
    /** @throws IOException when what the endpoint needs, such as its certificates, cannot be used */
    ManagedChannel open() throws IOException;

    /** The endpoint, for messages. */
    String name();

    /** What every call carries: the token, where the endpoint wants one. Metadata belong to one call. */
    Metadata headers();

    static Channels to(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Remote remote -> new TlsChannels(remote);
            case Endpoint.Local local -> new LocalChannels(local);
            case Endpoint.InProcess inProcess ->
                throw new IllegalArgumentException("a machine in this process is not reached by gRPC");
        };
    }
}
