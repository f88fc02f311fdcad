package dev.outpost.channel.client;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.Trust;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Makes gRPC channels to one peer, each a transport of its own. */
public sealed interface Channels permits TlsChannels, LocalChannels {
    /** @throws IOException when what the peer needs, such as its certificates, cannot be used */
    ManagedChannel open() throws IOException;

    /** The peer's address, for messages. */
    String name();

    /** The metadata of every call: the token, where the peer wants one. They belong to one call. */
    Metadata headers();

    /**
     * Opens connections of frames.
     *
     * @param timeout how long one attempt may take
     */
    default FrameConnector connector(Duration timeout) {
        return new GrpcConnector(this, timeout);
    }

    /**
     * To a peer over the network.
     *
     * @param host a name or an address; an IPv6 address without brackets
     * @param trust how the peer proves that it is the right one
     * @param token what opens the peer
     * @param serverName what to ask for in TLS (SNI), where it is not the host; a certificate of an authority is for that name
     */
    static Channels tls(String host, int port, Trust trust, String token, Optional<String> serverName) {
        return new TlsChannels(host, port, trust, token, serverName);
    }

    /**
     * To a peer on the same host.
     *
     * @param token names the grant to go by; the peer's owner's where it is empty
     */
    static Channels unixSocket(Path socket, Optional<String> token) {
        return new LocalChannels(socket, token);
    }
}
