package dev.outpost.client.failures;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.UpdateFailed;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The failures that a machine has reported, those that the program has received, and the skipped updates. Thread-safe. */
public final class Failures {
    /** The number of failures that a machine remembers for a session. */
    private static final int MAX = 1024;

    private final Map<Long, Fault> untold = new LinkedHashMap<>();
    private final Set<Long> told = new LinkedHashSet<>();
    /** The messages of the failures that the program has received; at most as many as numbers are kept. */
    private final Deque<String> toldTexts = new ArrayDeque<>();
    /**
     * For each update, the number of skipped runs that the program has not asked about, and the numbers of their
     * faults.
     */
    private final Map<Long, Long> leftOut = new HashMap<>();

    private final Map<Long, Set<Long>> reasons = new HashMap<>();

    /** Records a failure that the machine has reported. */
    public synchronized void failed(Fault fault) {
        if (!told.contains(fault.getNumber()) && untold.size() < MAX) {
            untold.putIfAbsent(fault.getNumber(), fault);
        }
    }

    /** Records an update that the machine has skipped. */
    public synchronized void failed(UpdateFailed update) {
        failed(update.getFault());
        leftOut.merge(update.getUpdate(), update.getTimes(), Long::sum);
        if (untold.containsKey(update.getFault().getNumber())) {
            reasons.computeIfAbsent(update.getUpdate(), number -> new LinkedHashSet<>())
                    .add(update.getFault().getNumber());
        }
    }

    /**
     * Marks a failure as reported to the program, for example because the program read a value that was lost by the
     * failure.
     */
    public synchronized void report(Fault fault) {
        untold.remove(fault.getNumber());
        told.add(fault.getNumber());
        toldTexts.add(fault.getMessage());
        if (toldTexts.size() > MAX) {
            toldTexts.remove();
        }
        if (told.size() > MAX) {
            told.remove(told.iterator().next());
        }
    }

    /** Returns the messages of the latest failures that were reported to the program. */
    public synchronized List<String> toldTexts() {
        return List.copyOf(toldTexts);
    }

    /** Returns all failures that the program has not received, and marks them as received. */
    public synchronized List<Fault> reportAll() {
        List<Fault> all = List.copyOf(untold.values());
        all.forEach(this::report);
        reasons.clear();
        return all;
    }

    /** Returns the number of runs of an update that were skipped since the last call. */
    public synchronized long takeLeftOut(long update) {
        Long times = leftOut.remove(update);
        return times == null ? 0 : times;
    }

    /**
     * Returns the faults because of which runs of an update were skipped, if the program has not received them, and marks them as received.
     */
    public synchronized List<Fault> reportReasons(long update) {
        Set<Long> numbers = reasons.remove(update);
        if (numbers == null) {
            return List.of();
        }
        List<Fault> faults =
                numbers.stream().filter(untold::containsKey).map(untold::get).toList();
        faults.forEach(this::report);
        return faults;
    }
}
