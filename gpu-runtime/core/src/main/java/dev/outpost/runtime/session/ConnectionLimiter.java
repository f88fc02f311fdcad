package dev.outpost.runtime.session;

import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections and their maximum number. */
final class ConnectionLimiter {
    /** A connection without a hello may be closed after this time, to make room for others. */
    private static final Duration HELLO_TIMEOUT = Duration.ofMillis(250);

    private final RuntimeContext runtime;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<RuntimeConnection> open = ConcurrentHashMap.newKeySet();

    ConnectionLimiter(RuntimeContext runtime) {
        this.runtime = runtime;
    }

    void add(RuntimeConnection connection) {
        int max = runtime.limits().connections();
        if (count.get() >= max) {
            endOldestWithoutHello();
        }
        if (count.incrementAndGet() > max) {
            count.decrementAndGet();
            throw runtime.limitCounters()
                    .refuse(RuntimeLimit.CONNECTIONS, "the machine has " + max + " connections open already");
        }
        open.add(connection);
    }

    /**
     * Closes the oldest connection without a hello. Clients send a hello within moments, so silent connections must not
     * keep others out.
     */
    private void endOldestWithoutHello() {
        open.stream()
                .filter(connection -> connection.isSilentFor(HELLO_TIMEOUT))
                .min(Comparator.comparingLong(RuntimeConnection::opened))
                .ifPresent(oldest -> oldest.end(ConnectionMessages.end(FaultMessages.of(
                        FaultKind.EXTERNAL, "no hello arrived on the connection, and others need its place"))));
    }

    void remove(RuntimeConnection connection) {
        if (open.remove(connection)) {
            count.decrementAndGet();
        }
    }

    int size() {
        return open.size();
    }

    /** Extends the deadlines by the time in which the runtime stood still, because it could not read frames in this time. */
    void extend(long nanos) {
        open.forEach(connection -> connection.extend(nanos));
    }

    void tick(long now) {
        open.forEach(connection -> connection.tick(now));
    }

    void end(End end) {
        open.forEach(connection -> connection.end(end));
    }
}
