package dev.outpost.system.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import javax.net.ssl.SSLException;

/** Transports of calls that are made by hand. */
final class RawChannel {
    private RawChannel() {}

    /** By TLS, trusting the certificate of the token. */
    static ManagedChannel to(RuntimeProcess runtime) {
        try {
            return NettyChannelBuilder.forAddress("localhost", runtime.port())
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(PinnedCertificate.of(runtime))
                            .build())
                    .maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                    .directExecutor()
                    .build();
        } catch (SSLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Without TLS, to a port that wants it. */
    static ManagedChannel plainTo(RuntimeProcess runtime) {
        return NettyChannelBuilder.forAddress("127.0.0.1", runtime.port())
                .usePlaintext()
                .directExecutor()
                .build();
    }
}
