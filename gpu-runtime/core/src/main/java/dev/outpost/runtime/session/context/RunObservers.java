package dev.outpost.runtime.session.context;

import dev.outpost.protocol.ir.Instruction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The open watches, which record the instructions of runs for reports. Usually there are none. Thread-safe. */
public final class RunObservers {
    private final List<Watch> open = new CopyOnWriteArrayList<>();

    public Watch open() {
        Watch watch = new Watch(open::remove);
        open.add(watch);
        return watch;
    }

    /** Returns true if a watch is open. Called once for each segment and each small kernel, so it is cheap. */
    public boolean isAnyOpen() {
        return !open.isEmpty();
    }

    public void note(long session, Instruction instruction, long nanos) {
        Executed executed = new Executed(session, instruction.op().label(), results(instruction), nanos);
        open.forEach(watch -> watch.add(executed));
    }

    private static String results(Instruction instruction) {
        return IntStream.range(0, instruction.resultCount())
                .mapToObj(position -> instruction.resultType(position).toString())
                .collect(Collectors.joining(", "));
    }
}
