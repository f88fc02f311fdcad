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
    /** Of the workers, in their order; none where the kernel cannot limit them. */
    private final List<ProcessorShare> shares = new ArrayList<>();

    private final double processors;
    private ProcessorShare own;
    private final Thread atTheEnd = new Thread(this::remove, "outpost-bench-end");

    private BenchHosts(BridgedNetwork network, double processors) {
        this.network = network;
        this.processors = processors;
    }

    /** @param processors that each worker gets at most when it is limited */
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

    /** The process that measures is not limited, and gets its part beside what else the host does. */
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

    /** Has each worker do with its part of a processor. */
    synchronized void limit() throws IOException {
        for (ProcessorShare share : shares) {
            share.limit(processors);
        }
    }

    /** Has each worker use all of its processor. */
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
            // The processes in the namespaces go with these.
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
            // It runs, or has run.
        }
    }
}
