package dev.outpost.channel.guard;

import dev.outpost.channel.http.Pace;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is closed when it takes too long: for the head of a request, for the body of one, or without a request. It is busy
 * while the server works on a request whose body it has; while it waits for the client it is not. Thread-safe.
 */
public final class GuardedConnection implements ConnectionRegistry.Member {
    private static final int CHECKS = 8;
    /** What a body must bring within the time of {@link ConnectionLimits#progress}. A shorter one must be whole by then. */
    private static final int LEAST_BYTES = Pace.DATA.bytes();

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
        private final LongSupplier bodyBytes;
        private final int stream;
        private final @Nullable InetAddress client;
        private volatile boolean isWhole;
        /** The body's bytes when its pace was last kept, and when that was. Of the event loop. */
        private long keptBytes;

        private long keptAt = System.nanoTime();

        private Request(boolean hasBody, LongSupplier bodyBytes, int stream, @Nullable InetAddress client) {
            isWhole = !hasBody;
            this.bodyBytes = bodyBytes;
            this.stream = stream;
            this.client = client;
        }

        /** Notes that the server has the whole body. From any thread. */
        public void bodyEnded() {
            isWhole = true;
        }

        /** Whether the body has fallen behind its pace. On the event loop. */
        private boolean isLate(long now) {
            if (isWhole) {
                return false;
            }
            long bytes = bodyBytes.getAsLong();
            // While the server does not read, the client cannot send.
            if (bytes - keptBytes >= LEAST_BYTES || !channel.config().isAutoRead() || isWindowClosed()) {
                keptBytes = bytes;
                keptAt = now;
            }
            return now - keptAt > limits.progress().toNanos();
        }

        /** A stream of HTTP/2 may end without a body, and before the server reads its body. On the event loop. */
        private void noteEndOfStream() {
            Http2Connection http2 = isWhole ? null : http2();
            if (http2 != null) {
                Http2Stream open = http2.stream(stream);
                isWhole = open == null || !open.state().remoteSideOpen();
            }
        }

        /** Whether a stream of HTTP/2 may send nothing until the server reads. */
        private boolean isWindowClosed() {
            Http2Connection http2 = http2();
            Http2Stream open = http2 == null ? null : http2.stream(stream);
            return open != null && http2.local().flowController().windowSize(open) <= 0;
        }

        private @Nullable Http2Connection http2() {
            Http2ConnectionHandler handler =
                    stream < 0 ? null : channel.pipeline().get(Http2ConnectionHandler.class);
            return handler == null ? null : handler.connection();
        }

        /** The request is answered, or its connection is closed. Does nothing the second time. */
        @Override
        public void close() {
            end(this);
        }
    }

    /**
     * Notes that the head of a request is whole. On the connection's event loop.
     *
     * @param hasBody whether a body follows, of which {@link Request#bodyEnded} tells the end; of HTTP/2 it may be a guess
     * @param bodyBytes how much of it was received; asked by the connection's event loop
     * @param stream of HTTP/2, where other requests are sent meanwhile; -1 elsewhere
     * @param client the client's address where it is another one than the connection's
     * @return empty where the client has as many requests under way as may be
     */
    public Optional<Request> begin(boolean hasBody, LongSupplier bodyBytes, int stream, @Nullable InetAddress client) {
        if (client != null && !registry.beginRequest(client)) {
            return Optional.empty();
        }
        Request request = new Request(hasBody, bodyBytes, stream, client);
        synchronized (this) {
            requests.add(request);
            isInHead = false;
            isMultiplexed = stream >= 0;
        }
        // The handler of HTTP/2 notes an end of stream behind the head only when it has passed the head on.
        channel.eventLoop().execute(request::noteEndOfStream);
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
        return requests.stream().anyMatch(request -> request.isWhole);
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
        requests.forEach(Request::noteEndOfStream);
        return requests.stream().anyMatch(request -> request.isLate(now));
    }
}
