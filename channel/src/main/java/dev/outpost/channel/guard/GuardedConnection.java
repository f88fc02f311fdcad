package dev.outpost.channel.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is closed when it takes too long: for the head of a request, for the next bytes of a body, or without a request.
 * Thread-safe.
 */
public final class GuardedConnection implements ConnectionRegistry.Member {
    private static final int CHECKS = 8;

    private final Channel channel;
    private final ConnectionLimits limits;
    private final ConnectionRegistry<GuardedConnection> registry;
    private final boolean isProxy;
    /** The requests under way. Guarded by this. */
    private final Set<Request> requests = new LinkedHashSet<>();

    /** Whether a head has begun. Guarded by this. */
    private boolean isInHead = true;

    /** When the state began in which the connection is: a head, idleness. Guarded by this. */
    private long since = System.nanoTime();

    /** Whether requests share the connection, so that bytes need not be those of a head. Guarded by this. */
    private boolean isMultiplexed;

    private volatile long lastRead = System.nanoTime();

    GuardedConnection(
            Channel channel, ConnectionLimits limits, ConnectionRegistry<GuardedConnection> registry, boolean isProxy) {
        this.channel = channel;
        this.limits = limits;
        this.registry = registry;
        this.isProxy = isProxy;
    }

    /** True if it is of a trusted proxy. */
    public boolean isProxy() {
        return isProxy;
    }

    /** A request under way. */
    public final class Request implements AutoCloseable {
        private final BooleanSupplier isWhole;
        private final @Nullable InetAddress client;

        private Request(BooleanSupplier isWhole, @Nullable InetAddress client) {
            this.isWhole = isWhole;
            this.client = client;
        }

        /** The request is answered, or its connection is closed. Does nothing the second time. */
        @Override
        public void close() {
            end(this);
        }
    }

    /**
     * Notes that the head of a request is whole.
     *
     * @param isWhole whether its body is, too; asked by the connection's event loop
     * @param client the client's address where it is another one than the connection's
     * @param sharesConnection whether other requests are sent meanwhile, as in HTTP/2
     * @return empty where the client has as many requests under way as may be
     */
    public Optional<Request> begin(BooleanSupplier isWhole, @Nullable InetAddress client, boolean sharesConnection) {
        if (client != null && !registry.beginRequest(client)) {
            return Optional.empty();
        }
        Request request = new Request(isWhole, client);
        synchronized (this) {
            requests.add(request);
            isInHead = false;
            isMultiplexed = sharesConnection;
        }
        return Optional.of(request);
    }

    private void end(Request request) {
        boolean isFirst;
        synchronized (this) {
            isFirst = requests.remove(request);
            since = System.nanoTime();
        }
        if (isFirst && request.client != null) {
            registry.endRequest(request.client);
        }
    }

    @Override
    public synchronized boolean isBusy() {
        return !requests.isEmpty();
    }

    @Override
    public void close() {
        channel.close();
    }

    ChannelHandler handler() {
        return new Watch();
    }

    /** Looks after the connection on its event loop. */
    private final class Watch extends ChannelInboundHandlerAdapter {
        private @Nullable ScheduledFuture<?> checks;
        /** What is being written, how much of it was, and since when nothing more was. */
        private @Nullable Object writing;

        private long written;
        private long writtenSince = System.nanoTime();

        @Override
        public void channelActive(ChannelHandlerContext context) {
            long period = Math.min(
                            Math.min(limits.head().toMillis(), limits.progress().toMillis()),
                            limits.idle().toMillis())
                    / CHECKS;
            checks = context.executor()
                    .scheduleAtFixedRate(this::check, Math.max(1, period), Math.max(1, period), TimeUnit.MILLISECONDS);
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (checks != null) {
                checks.cancel(false);
            }
            context.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            lastRead = System.nanoTime();
            beginHead();
            context.fireChannelRead(message);
        }

        private void check() {
            long now = System.nanoTime();
            if (isLate(now) || isStalled(now)) {
                channel.close();
            }
        }

        /** True if the other side has read nothing of what is being written for too long. */
        private boolean isStalled(long now) {
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            Object current = buffer == null ? null : buffer.current();
            long progress = current == null ? 0 : buffer.currentProgress();
            if (current == null || current != writing || progress != written) {
                writing = current;
                written = progress;
                writtenSince = now;
                return false;
            }
            return now - writtenSince > limits.progress().toNanos();
        }
    }

    private synchronized void beginHead() {
        if (requests.isEmpty() && !isInHead && !isMultiplexed) {
            isInHead = true;
            since = System.nanoTime();
        }
    }

    private synchronized boolean isLate(long now) {
        if (requests.isEmpty()) {
            return now - since > (isInHead ? limits.head() : limits.idle()).toNanos();
        }
        // While the server does not read, the client cannot send.
        return channel.config().isAutoRead()
                && now - lastRead > limits.progress().toNanos()
                && requests.stream().anyMatch(request -> !request.isWhole.getAsBoolean());
    }
}
