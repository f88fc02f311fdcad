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

/** Configures Quarkus' gRPC server with the machine's certificate, and both servers with their limits. */
@Singleton
public class ServerTuning implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** The time after which a transport without calls is closed. Clients without a token can open one, because the token comes with a call. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /**
     * The maximum number of calls of a transport. A connection has one transport for each lane, and a watcher has one
     * more.
     */
    private static final int MAX_CALLS_A_TRANSPORT = 8;

    /**
     * The maximum number of cancelled calls within {@link #RESET_SECONDS}, because each costs the server more than
     * the client.
     */
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

    /** Sets up TLS. Uses BoringSSL if it exists for this platform, because it starts and encrypts faster than the JDK. */
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
