package dev.outpost.runtime.server;

import dev.outpost.protocol.rpc.RuntimeCalls;
import io.grpc.netty.NettyServerBuilder;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Gives Quarkus' gRPC server the machine's certificate, and both of our servers their bounds. */
@Singleton
public class ServerTuning implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** A transport without a call on it is somebody who cannot, or does not want to, say the token. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    /** A connection has a transport for each lane, and a watcher one more. */
    private static final int MAX_CALLS_A_TRANSPORT = 8;

    private final MachineIdentity identity;

    ServerTuning(MachineIdentity identity) {
        this.identity = identity;
    }

    @Override
    public void customize(GrpcServerConfiguration config, VertxServerBuilder builder) {
        apply(builder.nettyBuilder());
        builder.useSsl(options -> options.setSsl(true).setKeyCertOptions(certificate(identity)));
    }

    static PemKeyCertOptions certificate(MachineIdentity identity) {
        return new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(identity.certificatePem()))
                .addKeyValue(Buffer.buffer(identity.keyPem()));
    }

    static NettyServerBuilder apply(NettyServerBuilder builder) {
        return builder.maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_A_TRANSPORT)
                .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(RuntimeCalls.KEEPALIVE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis() / 2, TimeUnit.MILLISECONDS);
    }
}
