package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.netty.NettyServerBuilder;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Gives Quarkus' gRPC server the machine's certificate, and both of our servers their bounds. */
@Singleton
public class ServerTuning implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** A transport without a call on it is somebody who cannot, or does not want to, say the token. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** A connection has a transport for each lane, and a watcher one more. */
    private static final int MAX_CALLS_A_TRANSPORT = 8;

    /** Calls that a client takes back, in {@link #RESET_SECONDS}; each costs the server more than the client. */
    private static final int MAX_RESETS = 200;

    private static final int RESET_SECONDS = 10;

    private final MachineIdentity identity;

    ServerTuning(MachineIdentity identity) {
        this.identity = identity;
    }

    @Override
    public void customize(GrpcServerConfiguration config, VertxServerBuilder builder) {
        apply(builder.nettyBuilder()).callExecutor(new CallsOnTheLoop());
        builder.useSsl(options -> secure(options, identity));
    }

    /** BoringSSL where there is one for this platform: quicker than the JDK's own TLS, on every byte and at the start. */
    static void secure(HttpServerOptions options, MachineIdentity identity) {
        options.setSsl(true).setUseAlpn(true).setKeyCertOptions(KeyCertOptions.wrap(identity.keyManager()));
        if (OpenSSLEngineOptions.isAvailable()) {
            options.setSslEngineOptions(new OpenSSLEngineOptions());
        }
    }

    static NettyServerBuilder apply(NettyServerBuilder builder) {
        return builder.maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_A_TRANSPORT)
                .maxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS)
                .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(RuntimeCalls.KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis() / 2, TimeUnit.MILLISECONDS);
    }
}
