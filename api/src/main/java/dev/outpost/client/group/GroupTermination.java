package dev.outpost.client.group;

import dev.outpost.client.session.MachineSession;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.FaultCode;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Ends a group. The loss of one member ends all members; the program closes all of them. Thread-safe. */
final class GroupTermination {
    /** The rank that stands for no member. */
    private static final int NONE = -1;

    private final String name;
    private final GroupSession group;
    private final Duration lossTimeout;
    private final Duration closeTimeout;

    /**
     * @param lossTimeout the longest wait for the connection or the provider of a lost member to report the loss
     * @param closeTimeout the longest wait of closing for the members to be connected with each other
     */
    GroupTermination(String name, GroupSession group, Duration lossTimeout, Duration closeTimeout) {
        this.name = name;
        this.group = group;
        this.lossTimeout = lossTimeout;
        this.closeTimeout = closeTimeout;
    }

    /** Ends the group, because a member is gone. The values on the other members are useless without its parts. */
    void memberIsOver(int lost, OutpostException reason) {
        if (reason.code() == FaultCode.GROUP_BROKEN) {
            // The session ended because another member was missing; the reason names that member.
            onBroken(reason.getMessage());
            return;
        }
        endAll("member " + lost + " is gone: " + reason.getMessage(), lost);
    }

    /** Ends the group, because exchanges fail without a member. The connection or the provider of that member may report more. */
    void onBroken(String problem) {
        CompletableFuture.delayedExecutor(lossTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> endAll(problem, NONE));
    }

    /**
     * Ends the group, because the machines could not connect. If a member is gone, its connection or its provider reports the cause; the
     * others only report that it is missing.
     */
    void onJoinFailed(Throwable failure) {
        onBroken("its machines do not reach each other: " + rootOf(failure).getMessage());
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    private void endAll(String problem, int lost) {
        OutpostException reason = new MachineLostException(name + ": the group is lost: " + problem, null);
        group.joined().completeExceptionally(reason);
        if (group.isClosing().get()) {
            return;
        }
        for (int rank = 0; rank < group.members().size(); rank++) {
            if (rank != lost) {
                MachineSession session = group.members().get(rank);
                // Runs on another thread, because the member's end may wait for this thread.
                Thread.ofVirtual().name("outpost-group-end-" + name).start(() -> session.over(reason, false));
            }
        }
    }

    /** Closes all members. Throws the failures that the program has not received. */
    void close() {
        group.isClosing().set(true);
        // Waits for one member after the other, and stops at the first member that does not start, because the others
        // are useless without it.
        group.members().stream().allMatch(MachineSession::awaitStart);
        // The failures are copied before the members close, because close() of a member throws its failures and marks
        // them as reported.
        List<String> told = new ArrayList<>(group.lead().replies().failures().toldTexts());
        boolean isLossTold = group.members().stream().anyMatch(MachineSession::isHeard);
        boolean isJoined = isJoined();
        OutpostException first = null;
        for (MachineSession session : group.members()) {
            try {
                if (isJoined) {
                    session.close();
                } else {
                    session.closeAtOnce();
                }
            } catch (OutpostException failure) {
                boolean isTold = failure instanceof RemoteException failed ? isTold(failed, told) : isLossTold;
                first = isTold ? first : joined(first, failure);
                faults(failure).map(failed -> failed.fault().getMessage()).forEach(told::add);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Returns true if the members are connected with each other. Waits for the connections if all members run. A member whose segment has
     * an exchange waits for the connections, and would not finish if the first member closed before.
     */
    private boolean isJoined() {
        if (!group.members().stream().allMatch(MachineSession::hasAnswered)) {
            return false;
        }
        try {
            group.joined().get(closeTimeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException failure) {
            return false;
        }
    }

    /**
     * Returns true if the program knows all faults of a failure already. Members report the same fault if an op fails
     * on each of them, or if a member needs a failed value of another member. The message of a passed-on fault
     * contains the message of the original fault.
     */
    private static boolean isTold(RemoteException failed, List<String> told) {
        return faults(failed)
                .map(each -> each.fault().getMessage())
                .allMatch(message -> told.stream()
                        .anyMatch(text -> text.contains(message) || !text.isEmpty() && message.contains(text)));
    }

    /** Returns the remote exceptions among a failure and its suppressed exceptions. */
    private static Stream<RemoteException> faults(OutpostException failure) {
        return Stream.concat(Stream.of(failure), Arrays.stream(failure.getSuppressed()))
                .filter(RemoteException.class::isInstance)
                .map(RemoteException.class::cast);
    }

    private static OutpostException joined(OutpostException first, OutpostException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
