package dev.outpost.system.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import javax.net.ssl.SSLException;

/** Transports of handmade calls. */
final class RawChannel {
    private RawChannel() {}

    /** A transport with TLS, which trusts the certificate of the token. */
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

    /** A transport without TLS, to a port that expects TLS. */
    static ManagedChannel plainTo(RuntimeProcess runtime) {
        return NettyChannelBuilder.forAddress("127.0.0.1", runtime.port())
                .usePlaintext()
                .directExecutor()
                .build();
    }
}
