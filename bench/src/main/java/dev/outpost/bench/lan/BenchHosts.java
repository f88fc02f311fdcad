package dev.outpost.bench.lan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Workers on hosts of a network. They end when this is closed, or when a signal asks the process to end. If the process is
 * killed, the next run removes them. Thread-safe.
 */
final class BenchHosts implements AutoCloseable {
    private final BridgedNetwork network;
    private final List<BenchWorker> workers = new ArrayList<>();
    /** The processor shares of the workers, in their order; empty if the kernel cannot limit them. */
    private final List<ProcessorShare> shares = new ArrayList<>();

    private final double processors;
    private ProcessorShare own;
    private final Thread atTheEnd = new Thread(this::remove, "outpost-bench-end");

    private BenchHosts(BridgedNetwork network, double processors) {
        this.network = network;
        this.processors = processors;
    }

    /** @param processors the most processors of each worker when it is limited */
    static BenchHosts open(LinkKind kind, int count, double processors) throws IOException {
        BenchNames names = new BenchNames(ProcessHandle.current().pid());
        BenchHosts hosts = new BenchHosts(new BridgedNetwork(names, kind), processors);
        Runtime.getRuntime().addShutdownHook(hosts.atTheEnd);
        boolean isOpen = false;
        try {
            hosts.network.open();
            hosts.own = ProcessorShare.canBeMade() ? ownShare(names) : null;
            for (int host = 0; host < count; host++) {
                hosts.network.add(host);
                hosts.keep(BenchWorker.start(names, host), names.share(host));
            }
            isOpen = true;
            return hosts;
        } finally {
            if (!isOpen) {
                hosts.close();
            }
        }
    }

    /** Returns the share of the measuring process: without a limit, but protected from other load of the host. */
    private static ProcessorShare ownShare(BenchNames names) throws IOException {
        ProcessorShare share = ProcessorShare.open(names.ownShare());
        share.add(ProcessHandle.current().pid());
        return share;
    }

    private synchronized void keep(BenchWorker worker, String share) throws IOException {
        workers.add(worker);
        if (ProcessorShare.canBeMade()) {
            shares.add(ProcessorShare.open(share));
            shares.getLast().add(worker.pid());
        }
    }

    /** Limits each worker to its share of a processor. */
    synchronized void limit() throws IOException {
        for (ProcessorShare share : shares) {
            share.limit(processors);
        }
    }

    /** Lets each worker use its whole processor. */
    synchronized void unlimit() throws IOException {
        for (ProcessorShare share : shares) {
            share.unlimit();
        }
    }

    synchronized List<BenchWorker> workers(int count) {
        return List.copyOf(workers.subList(0, count));
    }

    long received(int host) throws IOException {
        return network.received(host);
    }

    private void remove() {
        try {
            if (own != null) {
                own.close();
            }
            // Removing the network also ends the processes in its namespaces.
            network.close();
        } catch (IOException failure) {
            System.err.println("lan: " + failure.getMessage());
        }
    }

    @Override
    public void close() {
        workers(workers.size()).forEach(BenchWorker::close);
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException ignored) {
            // The handler runs, or has run.
        }
    }
}
