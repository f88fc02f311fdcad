package dev.outpost.cli.worker;

import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;

/** The log of one machine as it grows, until the backend has it. Safe for use by two threads. */
final class LogTail implements AutoCloseable {
    /** What the backend keeps. */
    private static final int MOST = 20_000;

    private static final int AT_ONCE = 500;

    private final List<String> waiting = new ArrayList<>();
    private final Cancellable subscription;
    private int first;

    LogTail(MachineFleet local, MachineRef machine) {
        this.subscription =
                local.logs(machine, true).select().first(MOST).subscribe().with(this::add, gone -> {});
    }

    private synchronized void add(String line) {
        waiting.add(line);
    }

    /** The number of the first line that {@link #next} has. */
    synchronized int first() {
        return first;
    }

    /** What comes next; stays so until it was {@link #sent}. */
    synchronized List<String> next() {
        return List.copyOf(waiting.subList(0, Math.min(AT_ONCE, waiting.size())));
    }

    synchronized void sent(int lines) {
        waiting.subList(0, lines).clear();
        first += lines;
    }

    @Override
    public void close() {
        subscription.cancel();
    }
}
