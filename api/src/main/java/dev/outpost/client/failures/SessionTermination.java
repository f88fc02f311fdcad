package dev.outpost.client.failures;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The end of a session: its reason, and whether the program has received it. */
public final class SessionTermination {
    private static final int MAX_REPORTED = 16;

    private final String name;
    private volatile OutpostException reason;
    private volatile boolean asAgreed;
    private volatile boolean heard;
    private volatile boolean paused;

    /** @param name the machine's name in errors */
    public SessionTermination(String name) {
        this.name = name;
    }

    /** Ends the session. Returns false if it had already ended. */
    public synchronized boolean begin(OutpostException why, boolean agreed) {
        if (reason != null) {
            return false;
        }
        asAgreed = agreed;
        reason = why;
        return true;
    }

    /** Ends the session because the machine is paused: another session will have its values. Returns false if it had already ended. */
    public synchronized boolean pause(OutpostException why) {
        paused = true;
        return begin(why, true);
    }

    /** Records that the state is saved. From now on any end of the session is the end of a paused machine, and nothing is lost. */
    public void saved() {
        paused = true;
    }

    /** Returns true if the state was saved because the machine is paused. */
    public boolean isPaused() {
        return paused;
    }

    public boolean isOver() {
        return reason != null;
    }

    /** Returns the reason for the end; null while the session runs. */
    public OutpostException reason() {
        return reason;
    }

    /** Returns true if the program has received the reason for the end of the session. */
    public boolean isHeard() {
        return heard;
    }

    /** Returns true if the machine, and all values on it, are gone. */
    public boolean isLost() {
        return reason instanceof MachineLostException && !paused;
    }

    public boolean isAsAgreed() {
        return asAgreed;
    }

    /** Throws the reason if the session is over, and not just paused. */
    public void requireRunning() {
        OutpostException why = reason;
        if (why != null && !paused) {
            throw rethrown(why);
        }
    }

    /** Returns the same failure with the stack of the calling thread. */
    public OutpostException rethrown(Throwable cause) {
        heard = heard || cause == reason;
        return switch (cause) {
            case RemoteException remote -> new RemoteException(remote.fault(), remote.getMessage(), remote);
            case MachineLostException lost -> new MachineLostException(lost.code(), lost.getMessage(), lost);
            case OutpostException other -> new OutpostException(other.kind(), other.code(), other.getMessage(), other);
            default -> new OutpostException(FaultKind.INTERNAL, name + ": " + cause, cause);
        };
    }

    /** Returns the exception for every caller that still needs a lost machine. */
    public MachineLostException loss(String remedy) {
        heard = true;
        return new MachineLostException(reason.getMessage() + "; " + remedy, reason);
    }

    /**
     * Throws the failures that the program has not received.
     *
     * @param before the reason why the session was over before it was closed, or null
     * @param unseen faults on the machine that the program has not seen
     */
    public void report(OutpostException before, List<Fault> unseen) {
        if (before != null && !heard && !asAgreed) {
            throw rethrown(before);
        }
        report(unseen);
    }

    /** Throws the first of these faults, with the others as suppressed exceptions. Faults with the same message and line count once. */
    public void report(List<Fault> unseen) {
        Map<String, Fault> distinct = new LinkedHashMap<>();
        unseen.forEach(fault -> distinct.putIfAbsent(fault.getMessage() + '\n' + fault.getSource(), fault));
        List<RemoteException> failures = distinct.values().stream()
                .limit(MAX_REPORTED)
                .map(fault -> FaultText.exception(fault, name, List.of()))
                .toList();
        if (!failures.isEmpty()) {
            failures.stream().skip(1).forEach(failures.getFirst()::addSuppressed);
            throw failures.getFirst();
        }
    }
}
