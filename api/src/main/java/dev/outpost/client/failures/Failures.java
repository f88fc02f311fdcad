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

/** Failures on the machine: which of them the program has been told of, and which updates were left out. Thread-safe. */
public final class Failures {
    /** As many as a machine remembers for a session. */
    private static final int MAX = 1024;

    private final Map<Long, Fault> untold = new LinkedHashMap<>();
    private final Set<Long> told = new LinkedHashSet<>();
    /** The texts of those, as many as are kept of the numbers. */
    private final Deque<String> toldTexts = new ArrayDeque<>();
    /** By update: how many runs were left out that nobody has asked for, and the numbers of the faults that took them. */
    private final Map<Long, Long> leftOut = new HashMap<>();

    private final Map<Long, Set<Long>> reasons = new HashMap<>();

    /** The machine says that something failed. */
    public synchronized void failed(Fault fault) {
        if (!told.contains(fault.getNumber()) && untold.size() < MAX) {
            untold.putIfAbsent(fault.getNumber(), fault);
        }
    }

    /** The machine says that an update did not happen. */
    public synchronized void failed(UpdateFailed update) {
        failed(update.getFault());
        leftOut.merge(update.getUpdate(), update.getTimes(), Long::sum);
        if (untold.containsKey(update.getFault().getNumber())) {
            reasons.computeIfAbsent(update.getUpdate(), number -> new LinkedHashSet<>())
                    .add(update.getFault().getNumber());
        }
    }

    /** The program hears of a failure, as where it reads what that took. */
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

    /** All that the program has not been told of; told from now on. */
    public synchronized List<Fault> reportAll() {
        List<Fault> all = List.copyOf(untold.values());
        all.forEach(this::report);
        reasons.clear();
        return all;
    }

    /** How many runs of an update were left out since this was asked last. */
    public synchronized long takeLeftOut(long update) {
        Long times = leftOut.remove(update);
        return times == null ? 0 : times;
    }

    /** Why runs of an update were left out, of which the program has not been told; told from now on. */
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
