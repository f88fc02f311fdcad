package dev.outpost.client.group;

import dev.outpost.client.session.MachineSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One life of a group.
 *
 * @param id the name that its machines know it by
 * @param joined complete once the machines are connected with each other, with how they exchange, for people
 * @param isClosing true once the program ends it, so that the end of a member is no loss
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

    /** The member that answers questions. */
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

    /** Waits where too much is under way. */
    void awaitRoom() {
        members.forEach(MachineSession::awaitRoom);
    }

    /** Asks the first member; its answer may need what the others compute. */
    <T> T asking(Supplier<T> question) {
        T asked = lead().sender().asking(question);
        flush();
        return asked;
    }

    void flush() {
        members.forEach(session -> session.sender().flush());
    }
}
