package dev.outpost.runtime.server;

import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Sessions by gRPC, with the machine's certificate and behind its token. */
final class LoopbackServer implements AutoCloseable {
    private final EventLoopGroup loops = new NioEventLoopGroup(2, new DefaultThreadFactory("loopback-runtime", true));
    private final Server server;

    LoopbackServer(RuntimeConfig config, TokenAccess access, MachineIdentity identity, LanePairing lanePairing)
            throws IOException {
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .sslContext(tls(identity))
                .maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .keepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(RuntimeCalls.KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis() / 2, TimeUnit.MILLISECONDS)
                .intercept(new TokenGuard(access, new AuthFailureCounter()))
                .addService(lanes(lanePairing))
                .build();
    }

    void start() throws IOException {
        server.start();
    }

    private static SslContext tls(MachineIdentity identity) throws IOException {
        return GrpcSslContexts.configure(SslContextBuilder.forServer(identity.keyManager()))
                .build();
    }

    private static ServerServiceDefinition lanes(LanePairing lanePairing) {
        MethodDescriptor<WireFrame, WireFrame> control = RuntimeCalls.of(Lane.CONTROL);
        MethodDescriptor<WireFrame, WireFrame> bulk = RuntimeCalls.of(Lane.BULK);
        ServiceDescriptor descriptor = ServiceDescriptor.newBuilder(RuntimeGrpc.SERVICE_NAME)
                .addMethod(control)
                .addMethod(bulk)
                .build();
        return ServerServiceDefinition.builder(descriptor)
                .addMethod(control, (call, headers) -> lanePairing.join(Lane.CONTROL, call, headers))
                .addMethod(bulk, (call, headers) -> lanePairing.join(Lane.BULK, call, headers))
                .build();
    }

    /** Closes the sockets of the connections, so that clients get no message. */
    void cut() {
        loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    /** Ends the connections in order, unless they are cut already. */
    @Override
    public void close() {
        if (!loops.isShuttingDown()) {
            server.shutdownNow();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
