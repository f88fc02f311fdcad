package dev.outpost.client.group;

import dev.outpost.client.record.OpenScans;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.session.MachineSession;
import dev.outpost.client.session.RecorderSession;
import dev.outpost.stats.MachineStats;
import dev.outpost.types.MachineLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A group of machines from their start to their end.
 *
 * @param id the group's name on its machines
 * @param joined completes when the machines are connected with each other; its result describes how they exchange
 * @param isClosing true once the program closes the group, so that the end of a member is no loss
 */
record GroupSession(
        String id,
        RecordingState recording,
        List<MachineSession> members,
        GroupDelivery delivery,
        CompletableFuture<String> joined,
        AtomicBoolean isClosing)
        implements RecorderSession {

    GroupSession {
        members = List.copyOf(members);
    }

    @Override
    public MachineSession lead() {
        return members.getFirst();
    }

    String backend() {
        return joined.isCompletedExceptionally() ? "" : joined.getNow("");
    }

    @Override
    public void awaitReady() {
        members.forEach(MachineSession::awaitReady);
        lead().waits().await(joined);
    }

    @Override
    public void awaitRoom() {
        members.forEach(MachineSession::awaitRoom);
    }

    /**
     * Asks the first member after all scans that compute the values have ended. The thread waits before it asks,
     * because during the question no other thread can send messages to the first member, and the scan could not
     * continue. Sends the waiting messages of all members, because the answer may need their results.
     */
    @Override
    public <T> CompletableFuture<T> asking(Supplier<CompletableFuture<T>> question, Object... used) {
        OpenScans scans = recording.scans();
        CompletableFuture<T> answer = null;
        while (answer == null) {
            recording.guarded(() -> {
                scans.await(used);
                return null;
            });
            answer = lead().sender().asking(() -> recording.guarded(() -> scans.compute(used) ? null : question.get()));
            flush();
        }
        return answer;
    }

    void flush() {
        members.forEach(session -> session.sender().flush());
    }

    @Override
    public void drain() {
        flush();
        members.forEach(MachineSession::drain);
    }

    @Override
    public MachineStats stats() {
        return members.stream()
                .map(MachineSession::stats)
                .reduce(SummedStats::of)
                .orElseThrow();
    }

    /** Returns the smallest quota of the members, because each member may hold the whole value. */
    @Override
    public long quotaBytes() {
        return members.stream().mapToLong(MachineSession::quotaBytes).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public boolean isOver() {
        return members.stream().anyMatch(MachineSession::isOver);
    }

    @Override
    public boolean isLost() {
        return members.stream().anyMatch(MachineSession::isLost);
    }

    @Override
    public boolean isLostAsAgreed() {
        return members.stream().anyMatch(MachineSession::isLostAsAgreed);
    }

    @Override
    public MachineLostException loss(String remedy) {
        return members.stream()
                .filter(MachineSession::isLost)
                .findFirst()
                .orElse(lead())
                .loss(remedy);
    }

    @Override
    public String device() {
        String device = lead().device();
        return device == null ? null : members.size() + " × " + device;
    }
}
