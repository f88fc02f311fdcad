package dev.outpost.relay;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** The counters of a relay since its start, for Prometheus. Thread-safe. */
final class Counters {
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder passed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder[] refused = Arrays.stream(RefusalReason.values())
            .map(refusal -> new LongAdder())
            .toArray(LongAdder[]::new);

    /** Counts another open connection. Returns false if the limit is reached. */
    boolean tryOpen(int atMax) {
        return open.getAndUpdate(count -> count < atMax ? count + 1 : count) < atMax;
    }

    void closed() {
        open.decrementAndGet();
    }

    void passed() {
        passed.increment();
    }

    void moved(int count) {
        bytes.add(count);
    }

    void refused(RefusalReason refusal) {
        refused[refusal.ordinal()].increment();
    }

    int open() {
        return open.get();
    }

    long bytes() {
        return bytes.sum();
    }

    long refusedFor(RefusalReason refusal) {
        return refused[refusal.ordinal()].sum();
    }

    /** Returns the counters in the text format of Prometheus. */
    String text() {
        String refusals = Arrays.stream(RefusalReason.values())
                .map(refusal -> "outpost_relay_refused_total{reason=\""
                        + refusal.name().toLowerCase(Locale.ROOT) + "\"} " + refusedFor(refusal) + "\n")
                .collect(Collectors.joining());
        return "# TYPE outpost_relay_open gauge\noutpost_relay_open " + open()
                + "\n# TYPE outpost_relay_passed_total counter\noutpost_relay_passed_total " + passed.sum()
                + "\n# TYPE outpost_relay_bytes_total counter\noutpost_relay_bytes_total " + bytes()
                + "\n# TYPE outpost_relay_refused_total counter\n" + refusals;
    }
}
