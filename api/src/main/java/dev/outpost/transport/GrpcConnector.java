package dev.outpost.transport;

import dev.outpost.protocol.rpc.RuntimeCalls;
import dev.outpost.provider.FrameChannel;
import dev.outpost.provider.FrameConnector;
import dev.outpost.provider.FrameListener;
import io.grpc.Metadata;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Opens connections as pairs of gRPC calls, a lane each. */
final class GrpcConnector implements FrameConnector {
    private final Channels channels;
    private final Optional<String> token;
    private final Duration timeout;

    GrpcConnector(Channels channels, Optional<String> token, Duration timeout) {
        this.channels = channels;
        this.token = token;
        this.timeout = timeout;
    }

    @Override
    public FrameChannel open(FrameListener listener) throws IOException {
        GrpcConnection connection = new GrpcConnection(channels, listener);
        connection.open(this::headers, timeout);
        return connection;
    }

    /** Metadata belong to one call, so both lanes get their own. */
    private Metadata headers(UUID connection) {
        Metadata headers = new Metadata();
        headers.put(RuntimeCalls.CONNECTION, connection.toString());
        token.ifPresent(secret -> headers.put(RuntimeCalls.AUTHORIZATION, RuntimeCalls.BEARER + secret));
        return headers;
    }
}
