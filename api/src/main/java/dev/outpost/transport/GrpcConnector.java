package dev.outpost.transport;

import dev.outpost.protocol.rpc.RuntimeCalls;
import dev.outpost.provider.FrameChannel;
import dev.outpost.provider.FrameConnector;
import dev.outpost.provider.FrameListener;
import io.grpc.Metadata;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/** Opens connections as pairs of gRPC calls, a lane each. */
final class GrpcConnector implements FrameConnector {
    private final Channels channels;
    private final Duration timeout;

    GrpcConnector(Channels channels, Duration timeout) {
        this.channels = channels;
        this.timeout = timeout;
    }

    @Override
    public FrameChannel open(FrameListener listener) throws IOException {
        GrpcConnection connection = new GrpcConnection(channels, listener);
        connection.open(this::headers, timeout);
        return connection;
    }

    private Metadata headers(UUID connection) {
        Metadata headers = channels.headers();
        headers.put(RuntimeCalls.CONNECTION, connection.toString());
        return headers;
    }
}
