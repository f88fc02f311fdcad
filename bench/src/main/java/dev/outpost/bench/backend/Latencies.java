package dev.outpost.bench.backend;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Times in milliseconds. Thread-safe. */
final class Latencies {
    private final ConcurrentLinkedQueue<Double> all = new ConcurrentLinkedQueue<>();

    void add(long nanos) {
        all.add(nanos / 1e6);
    }

    int count() {
        return all.size();
    }

    /** Returns the latency that a share of all does not exceed. */
    double quantile(double share) {
        List<Double> sorted = all.stream().sorted().toList();
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }
}
