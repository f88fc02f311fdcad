package dev.outpost;

import dev.outpost.client.record.ActiveSignal;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;

/**
 * A scope in which the thread's operations are placed by a {@linkplain dev.outpost.sharding.Signal signal}. Scopes
 * nest.
 */
public final class SignalScope implements AutoCloseable {
    private static final ThreadLocal<ArrayDeque<SignalScope>> OPEN = ThreadLocal.withInitial(ArrayDeque::new);

    private final MachineGroup group;
    private final String name;
    private final boolean isBoundary;
    private final ActiveSignal before;

    private SignalScope(MachineGroup group, String name, boolean isBoundary, ActiveSignal before) {
        this.group = group;
        this.name = name;
        this.isBoundary = isBoundary;
        this.before = before;
    }

    static SignalScope open(MachineGroup group, String name, boolean isBoundary, ActiveSignal signal) {
        if (isBoundary) {
            group.machine().endSegment();
        }
        SignalScope scope = new SignalScope(group, name, isBoundary, ActiveSignal.enter(signal));
        OPEN.get().push(scope);
        return scope;
    }

    /** Ends this thread's innermost signal. Throws if its group or name differs. */
    static void exit(MachineGroup group, String name) {
        SignalScope innermost = OPEN.get().peek();
        if (innermost == null || innermost.group != group || !innermost.name.equals(name)) {
            throw mismatch(group, name);
        }
        innermost.close();
    }

    private static OutpostException mismatch(MachineGroup group, String name) {
        SignalScope innermost = OPEN.get().peek();
        String expected = innermost == null
                ? "no signal, as none is open on this thread"
                : "signal " + innermost.name + " of "
                        + innermost.group.machine().name();
        return new OutpostException(
                FaultKind.USER,
                "exit: expected " + expected + ", got " + name + " of "
                        + group.machine().name());
    }

    /** Returns the signal's name. */
    public String name() {
        return name;
    }

    /** Ends the signal. Throws if a signal opened later is still open on this thread. Closing again does nothing. */
    @Override
    public void close() {
        ArrayDeque<SignalScope> open = OPEN.get();
        if (!open.contains(this)) {
            return;
        }
        if (open.peek() != this) {
            throw mismatch(group, name);
        }
        open.pop();
        ActiveSignal.enter(before);
        if (isBoundary) {
            group.machine().endSegment();
        }
    }

    @Override
    public String toString() {
        return "signal " + name + " of " + group.machine().name();
    }
}
