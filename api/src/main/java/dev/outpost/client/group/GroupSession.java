package dev.outpost.client.group;

import dev.outpost.client.session.MachineSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One life of a group.
 *
 * @param id the group's name on its machines
 * @param joined completes when the machines are connected with each other; its result describes how they exchange
 * @param isClosing true once the program closes the group, so that the end of a member is no loss
 */
record GroupSession(
        String id,
        List<MachineSession> members,
        GroupDelivery delivery,
        CompletableFuture<String> joined,
        AtomicBoolean isClosing) {

    GroupSession {
        members = List.copyOf(members);
    }

    /** Returns the member that answers questions. */
    MachineSession lead() {
        return members.getFirst();
    }

    String backend() {
        return joined.isCompletedExceptionally() ? "" : joined.getNow("");
    }

    void awaitReady() {
        members.forEach(MachineSession::awaitReady);
        lead().waits().await(joined);
    }

    /** Waits while too many messages are under way. */
    void awaitRoom() {
        members.forEach(MachineSession::awaitRoom);
    }

    /** Asks the first member, and sends the waiting messages of all members, because the answer may need their results. */
    <T> T asking(Supplier<T> question) {
        T asked = lead().sender().asking(question);
        flush();
        return asked;
    }

    void flush() {
        members.forEach(session -> session.sender().flush());
    }
}
