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

/** The connections that are open, and how many there may be. */
final class ConnectionLimiter {
    /** After this long a connection without a hello gives way to others. */
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

    /** A hello comes within moments; those without one must not keep others out. */
    private void endOldestWithoutHello() {
        open.stream()
                .filter(connection -> connection.isSilentFor(HELLO_TIMEOUT))
                .min(Comparator.comparingLong(RuntimeConnection::opened))
                .ifPresent(oldest -> oldest.end(ConnectionMessages.end(FaultMessages.of(
                        FaultKind.EXTERNAL, "no hello came on the connection, and others want its place"))));
    }

    void remove(RuntimeConnection connection) {
        if (open.remove(connection)) {
            count.decrementAndGet();
        }
    }

    int size() {
        return open.size();
    }

    /** Time in which the runtime stood still counts against nobody. */
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
