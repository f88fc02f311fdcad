package dev.outpost.channel.guard;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Limits the connections of this process's HTTP servers from the moment at which they are accepted. Netty loads it as a service. A server
 * that uses it names it in {@code META-INF/services}, calls {@link NettyExtensions#enable} before it starts, and reports its requests to
 * {@link GuardedConnection}. Thread-safe.
 */
public final class ConnectionGuard extends ChannelInitializerExtension {
    private static final AttributeKey<GuardedConnection> CONNECTION = AttributeKey.valueOf("outpost.connection");
    private static final String OF_VERTX = "io.vertx.";

    private static volatile ConnectionLimits limits = ConnectionLimits.STANDARD;
    private static volatile ConnectionRegistry<GuardedConnection> registry = registry(limits);

    /** Sets the limits. Call this before the server accepts its first connection. */
    public static void limit(ConnectionLimits value) {
        registry = registry(value);
        limits = value;
    }

    private static ConnectionRegistry<GuardedConnection> registry(ConnectionLimits value) {
        return new ConnectionRegistry<>(value.connections(), value.perAddress());
    }

    /** Returns the guarded connection of a channel; empty if the process has no guard. */
    public static Optional<GuardedConnection> of(Channel channel) {
        return Optional.ofNullable(channel.attr(CONNECTION).get());
    }

    /**
     * Returns the address of a client from the {@code X-Forwarded-For} headers of its proxies. Returns empty if the connection is not from
     * a trusted proxy, or if the headers have no valid address.
     *
     * @param headers the headers in their order, because a proxy may add a separate header line
     */
    public static Optional<InetAddress> forwarded(GuardedConnection connection, List<String> headers) {
        if (!connection.isProxy() || headers.isEmpty()) {
            return Optional.empty();
        }
        String[] hops = String.join(",", headers).split(",");
        // The client is the last address that is not a trusted proxy. The client may have forged the addresses before
        // it.
        for (int hop = hops.length - 1; hop >= 0; hop--) {
            try {
                InetAddress address = ConnectionLimits.Network.forwarded(hops[hop]);
                if (hop == 0 || !limits.isTrusted(address)) {
                    return Optional.of(address);
                }
            } catch (UnknownHostException ignored) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public void postInitializeServerChildChannel(Channel accepted) {
        boolean isHttp = accepted.pipeline().first() != null
                && accepted.pipeline().first().getClass().getName().startsWith(OF_VERTX);
        if (!isHttp || !(accepted.remoteAddress() instanceof InetSocketAddress remote)) {
            return;
        }
        ConnectionLimits now = limits;
        ConnectionRegistry<GuardedConnection> connections = registry;
        InetAddress address = remote.getAddress();
        GuardedConnection connection = new GuardedConnection(accepted, now, connections, now.isTrusted(address));
        if (!connections.add(address, connection.isProxy(), connection)) {
            // All other ways to close a channel need its event loop, and the channel has none yet.
            accepted.unsafe().closeForcibly();
            return;
        }
        accepted.attr(CONNECTION).set(connection);
        accepted.closeFuture().addListener(closed -> connections.remove(address, connection));
        accepted.pipeline().addFirst("outpost-guard", connection.handler());
    }
}
