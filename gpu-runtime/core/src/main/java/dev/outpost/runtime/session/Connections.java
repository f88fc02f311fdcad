package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.Frame;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections that are open, and how many there may be. */
final class Connections {
    private final Machine machine;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<RuntimeConnection> open = ConcurrentHashMap.newKeySet();

    Connections(Machine machine) {
        this.machine = machine;
    }

    void add(RuntimeConnection connection) {
        int most = machine.limits().connections();
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            throw machine.refusals().refuse(Limit.CONNECTIONS, "the machine has " + most + " connections open already");
        }
        open.add(connection);
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

    void tick() {
        open.forEach(RuntimeConnection::tick);
    }

    void end(Frame.End end) {
        open.forEach(connection -> connection.end(end));
    }
}
