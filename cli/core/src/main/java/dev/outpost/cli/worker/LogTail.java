package dev.outpost.cli.worker;

import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;

/** The lines of a machine's log that the backend has not received yet. Two threads may use it. */
final class LogTail implements AutoCloseable {
    /** The number of lines that the backend keeps. */
    private static final int MAX = 20_000;

    private static final int LONGEST_LINE = 2_000;

    private final List<String> waiting = new ArrayList<>();
    private final Cancellable subscription;
    private int first;

    LogTail(MachineFleet local, MachineRef machine) {
        this.subscription =
                local.logs(machine, true).select().first(MAX).subscribe().with(this::add, gone -> {});
    }

    private synchronized void add(String line) {
        // A control character would take six bytes in JSON, and could move the reader's cursor.
        String clean = line.replaceAll("\\p{Cntrl}", " ");
        waiting.add(clean.length() > LONGEST_LINE ? clean.substring(0, LONGEST_LINE) + "..." : clean);
    }

    /** Returns the number of the first line that {@link #next} returns. */
    synchronized int first() {
        return first;
    }

    /**
     * Returns the next lines: at most {@code characters} characters, but at least one line. They stay until {@link
     * #sent} removes them.
     */
    synchronized List<String> next(int characters) {
        int count = 0;
        int sum = 0;
        while (count < waiting.size() && (count == 0 || sum + waiting.get(count).length() <= characters)) {
            sum += waiting.get(count).length() + 1;
            count++;
        }
        return List.copyOf(waiting.subList(0, count));
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
