package dev.outpost.channel.client;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.Metadata;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/** Opens connections, each a pair of gRPC calls: one for each lane. */
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
