package dev.outpost.channel.client;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.Trust;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes gRPC channels to one peer. Each channel has a separate transport. */
public sealed interface Channels permits TlsChannels, LocalChannels {
    /** @throws IOException if a certificate or another resource of the connection is not usable */
    ManagedChannel open() throws IOException;

    /** Returns the peer's address, for messages. */
    String name();

    /** Makes the metadata of one call, which contains the token if the peer requires one. Every call needs separate metadata. */
    Metadata headers();

    /**
     * Opens connections of frames.
     *
     * @param timeout the maximum time of one attempt
     */
    default FrameConnector connector(Duration timeout) {
        return new GrpcConnector(this, timeout);
    }

    /**
     * Makes channels to a peer over the network.
     *
     * @param host a name or an address; an IPv6 address without brackets
     * @param trust the proof by which the client recognizes the peer
     * @param token the secret that opens a session
     * @param serverName the name to request in TLS (SNI), if it differs from the host; a certificate by an authority must be for that
     *     name
     */
    static Channels tls(String host, int port, Trust trust, String token, @Nullable String serverName) {
        return new TlsChannels(host, port, trust, token, serverName);
    }

    /**
     * Makes channels to a peer on the same host.
     *
     * @param token selects the grant; if null, the caller has the rights of the peer's owner
     */
    static Channels unixSocket(Path socket, @Nullable String token) {
        return new LocalChannels(socket, token);
    }
}
