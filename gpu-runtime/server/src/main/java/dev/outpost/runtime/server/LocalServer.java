package dev.outpost.runtime.server;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Serves the runtime's gRPC service on a Unix domain socket, for callers on this host. They need no token, because
 * only the user who started the machine may open the file. A call with a token uses the grant of that token.
 */
final class LocalServer implements AutoCloseable {
    private final Path socket;
    private final Server server;
    private final EventLoopGroup loops = new NioEventLoopGroup(2, new DefaultThreadFactory("outpost-local", true));

    private LocalServer(Path socket, Path bound, RuntimeService service, ServerInterceptor guard) {
        this.socket = socket;
        NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(bound))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .addService(ServerInterceptors.intercept(service, guard));
        this.server = ServerTuning.apply(builder).build();
    }

    /** Starts to serve on a socket. Replaces a socket file that an earlier machine left behind. */
    static LocalServer start(Path socket, RuntimeService service, ServerInterceptor guard) throws IOException {
        Path target = socket.toAbsolutePath();
        removeLeftover(target);
        // The socket is created in a private folder, so that other users can never open it.
        Path nursery = Files.createTempDirectory(target.getParent(), ".outpost-");
        Path newborn = nursery.resolve("s");
        LocalServer server = new LocalServer(target, newborn, service, guard);
        try {
            server.server.start();
            Files.setPosixFilePermissions(newborn, PosixFilePermissions.fromString("rw-------"));
            Files.move(newborn, target, StandardCopyOption.ATOMIC_MOVE);
            return server;
        } catch (IOException failure) {
            server.loops.shutdownGracefully();
            throw failure;
        } finally {
            Files.deleteIfExists(newborn);
            Files.deleteIfExists(nursery);
        }
    }

    @Override
    public void close() throws IOException {
        server.shutdownNow();
        loops.shutdownGracefully();
        Files.deleteIfExists(socket);
    }

    private static void removeLeftover(Path socket) throws IOException {
        if (!Files.exists(socket)) {
            return;
        }
        if (!Files.readAttributes(socket, BasicFileAttributes.class).isOther()) {
            throw new IOException("socket: " + socket + " exists and is no socket");
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException ignored) {
            Files.delete(socket);
            return;
        }
        throw new IOException("socket: a machine serves on " + socket + " already");
    }
}
