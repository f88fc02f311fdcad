package dev.outpost.client.failures;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether a session is over, why, and whether the program has heard of it. */
public final class SessionTermination {
    private static final int MAX_REPORTED = 16;

    private final String name;
    private volatile OutpostException reason;
    private volatile boolean asAgreed;
    private volatile boolean heard;

    /** @param name what errors call the machine */
    public SessionTermination(String name) {
        this.name = name;
    }

    /** The session is over; false where it was before. */
    public synchronized boolean begin(OutpostException why, boolean agreed) {
        if (reason != null) {
            return false;
        }
        asAgreed = agreed;
        reason = why;
        return true;
    }

    public boolean isOver() {
        return reason != null;
    }

    /** Null while it runs. */
    public OutpostException reason() {
        return reason;
    }

    /** Whether the program was told why it is over. */
    public boolean isHeard() {
        return heard;
    }

    /** Whether the machine, and all values on it, are gone. */
    public boolean isLost() {
        return reason instanceof MachineLostException;
    }

    public boolean isAsAgreed() {
        return asAgreed;
    }

    /** Throws why it is over, if it is. */
    public void requireRunning() {
        OutpostException why = reason;
        if (why != null) {
            throw rethrown(why);
        }
    }

    /** The same failure with the stack of the thread that looked. */
    public OutpostException rethrown(Throwable cause) {
        heard = heard || cause == reason;
        return switch (cause) {
            case RemoteException remote -> new RemoteException(remote.fault(), remote.getMessage(), remote);
            case MachineLostException lost -> new MachineLostException(lost.code(), lost.getMessage(), lost);
            case OutpostException other -> new OutpostException(other.kind(), other.code(), other.getMessage(), other);
            default -> new OutpostException(FaultKind.INTERNAL, name + ": " + cause, cause);
        };
    }

    /** The exception for every caller that still wants something of a lost machine. */
    public MachineLostException loss(String remedy) {
        heard = true;
        return new MachineLostException(reason.getMessage() + "; " + remedy, reason);
    }

    /**
     * Throws what nobody has heard of yet.
     *
     * @param before why it was over before it was closed, or null
     * @param unseen faults on the machine that nobody looked at
     */
    public void report(OutpostException before, List<Fault> unseen) {
        if (before != null && !heard && !asAgreed) {
            throw rethrown(before);
        }
        report(unseen);
    }

    /** Throws the first of these faults, with the others attached; one of each text. */
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
