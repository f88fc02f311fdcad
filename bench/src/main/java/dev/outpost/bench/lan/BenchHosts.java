package dev.outpost.bench.lan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Workers on hosts of a network, which are gone when this is closed, or when the process is told to end by a signal. One that is killed
 * leaves them to the next run. Thread-safe.
 */
final class BenchHosts implements AutoCloseable {
    private final BridgedNetwork network;
    private final List<BenchWorker> workers = new ArrayList<>();
    private final Thread atTheEnd = new Thread(this::remove, "outpost-bench-end");

    private BenchHosts(BridgedNetwork network) {
        this.network = network;
    }

    static BenchHosts open(LinkKind kind, int count) throws IOException {
        BenchNames names = new BenchNames(ProcessHandle.current().pid());
        BenchHosts hosts = new BenchHosts(new BridgedNetwork(names, kind));
        Runtime.getRuntime().addShutdownHook(hosts.atTheEnd);
        boolean isOpen = false;
        try {
            hosts.network.open();
            for (int host = 0; host < count; host++) {
                hosts.network.add(host);
                hosts.keep(BenchWorker.start(names, host));
            }
            isOpen = true;
            return hosts;
        } finally {
            if (!isOpen) {
                hosts.close();
            }
        }
    }

    private synchronized void keep(BenchWorker worker) {
        workers.add(worker);
    }

    synchronized List<BenchWorker> workers(int count) {
        return List.copyOf(workers.subList(0, count));
    }

    long received(int host) throws IOException {
        return network.received(host);
    }

    private void remove() {
        try {
            // The processes in the namespaces go with these.
            network.close();
        } catch (IOException left) {
            System.err.println("lan: " + left.getMessage());
        }
    }

    @Override
    public void close() {
        workers(workers.size()).forEach(BenchWorker::close);
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException ending) {
            // It runs, or has run.
        }
    }
}
