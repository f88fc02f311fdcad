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
 * A connection that is closed if the client takes too long to send the head or body of a request, to read an answer, or to begin a
 * request. It is busy while the server processes a request that it has received completely. Thread-safe.
 */
public final class GuardedConnection implements ConnectionRegistry.Member {
    private static final int CHECKS = 8;
    /** The bytes of a body that must arrive within {@link ConnectionLimits#progress}. If fewer bytes are left, all of them must arrive. */
    private static final int MIN_BYTES = Pace.DATA.bytes();

    private final Channel channel;
    private final ConnectionLimits limits;
    private final ConnectionRegistry<GuardedConnection> registry;
    private final boolean isProxy;
    /** The requests that are being received or processed. Guarded by this. */
    private final Set<Request> requests = new LinkedHashSet<>();

    /** True if the head of a request has begun to arrive. Guarded by this. */
    private boolean isInHead = true;

    /** The time at which the current state began: receiving a head, or idle. Guarded by this. */
    private long since = System.nanoTime();

    /** True if several requests share the connection, so that received bytes may belong to something other than a head. Guarded by this. */
    private boolean isMultiplexed;

    GuardedConnection(
            Channel channel, ConnectionLimits limits, ConnectionRegistry<GuardedConnection> registry, boolean isProxy) {
        this.channel = channel;
        this.limits = limits;
        this.registry = registry;
        this.isProxy = isProxy;
    }

    /** True if the connection comes from a trusted proxy. */
    public boolean isProxy() {
        return isProxy;
    }

    /** A request that is being received or processed. */
    public final class Request implements AutoCloseable {
        private final LongSupplier bodyBytes;
        private final int stream;
        private final @Nullable InetAddress client;
        private volatile boolean isWhole;
        /** The received bytes at the last time at which the body was on pace, and that time. Used on the event loop. */
        private long keptBytes;

        private long keptAt = System.nanoTime();

        private Request(boolean hasBody, LongSupplier bodyBytes, int stream, @Nullable InetAddress client) {
            isWhole = !hasBody;
            this.bodyBytes = bodyBytes;
            this.stream = stream;
            this.client = client;
        }

        /** Records that the server has received the whole body. May be called on any thread. */
        public void bodyEnded() {
            isWhole = true;
        }

        /** True if the body is too slow. Called on the event loop. */
        private boolean isLate(long now) {
            if (isWhole) {
                return false;
            }
            long bytes = bodyBytes.getAsLong();
            // The client cannot send while the server does not read.
            if (bytes - keptBytes >= MIN_BYTES || !channel.config().isAutoRead() || isWindowClosed()) {
                keptBytes = bytes;
                keptAt = now;
            }
            return now - keptAt > limits.progress().toNanos();
        }

        /**
         * Records that an HTTP/2 stream has ended, which may happen without a body or before the server reads the body. Called on the event
         * loop.
         */
        private void noteEndOfStream() {
            Http2Connection http2 = isWhole ? null : http2();
            if (http2 != null) {
                Http2Stream open = http2.stream(stream);
                isWhole = open == null || !open.state().remoteSideOpen();
            }
        }

        /** True if the flow-control window of the HTTP/2 stream is used up, so that the client cannot send until the server reads. */
        private boolean isWindowClosed() {
            Http2Connection http2 = http2();
            Http2Stream open = http2 == null ? null : http2.stream(stream);
            return http2 != null
                    && open != null
                    && http2.local().flowController().windowSize(open) <= 0;
        }

        private @Nullable Http2Connection http2() {
            Http2ConnectionHandler handler =
                    stream < 0 ? null : channel.pipeline().get(Http2ConnectionHandler.class);
            return handler == null ? null : handler.connection();
        }

        /** Ends the request, because it is answered or its connection is closed. A second call does nothing. */
        @Override
        public void close() {
            end(this);
        }
    }

    /**
     * Records that the head of a request is complete. Call this on the connection's event loop.
     *
     * @param hasBody true if a body follows, whose end is reported by {@link Request#bodyEnded}; may be wrongly true for HTTP/2
     * @param bodyBytes returns the received bytes of the body; called on the connection's event loop
     * @param stream the id of the HTTP/2 stream; -1 for HTTP/1
     * @param client the client's address if a proxy forwarded it, else null
     * @return empty if the client's limit of requests is reached
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
        // The HTTP/2 handler passes the head on before it notes that the stream has ended with the head. So the check
        // runs later.
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

    /** The handler that watches the connection on its event loop. */
    private final class Watch extends ChannelInboundHandlerAdapter {
        private @Nullable ScheduledFuture<?> checks;
        /** The message that is being written, the number of bytes written of it, and the time of the last progress. */
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

        /** True if the client has read nothing of the current message for too long. */
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
