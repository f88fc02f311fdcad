package dev.outpost.client.session;

import dev.outpost.client.failures.SessionTermination;
import dev.outpost.client.link.Outbox;
import dev.outpost.client.link.Sender;
import dev.outpost.client.record.RemoteMemory;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.InFlightLimiter;
import java.util.function.LongSupplier;

/**
 * The waits of a program that is ahead of its machine.
 *
 * @param quota returns the bytes that the client's values may take on the machine
 */
record Backpressure(
        SessionTermination termination,
        InFlightLimiter limiter,
        Outbox outbox,
        RemoteMemory memory,
        LongSupplier quota,
        PendingReplies replies,
        Sender sender,
        BlockingWaits blockingWaits) {

    /** Waits while too many messages are in flight, and frees memory above the mark. */
    void awaitRoom() {
        termination.requireRunning();
        if (limiter.isCrowded(outbox.bytes())) {
            replies.scans().release();
            sender.flush();
            blockingWaits.during("wait for room", () -> limiter.await(outbox::bytes, termination::isOver));
            termination.requireRunning();
        }
        if (memory.isAboveMark(quota.getAsLong())) {
            sender.flush();
            blockingWaits.during(
                    "wait for memory", () -> memory.relieve(quota.getAsLong(), limiter, termination::isOver));
        }
    }

    /** Waits while too many answers are pending. */
    void awaitAnswers() {
        if (replies.fetches().isCrowded()) {
            replies.scans().release();
            blockingWaits.during(
                    "wait for answers", () -> limiter.awaitRoom(replies.fetches()::isCrowded, termination::isOver));
            termination.requireRunning();
        }
    }

    /** Waits until all sealed segments have been executed. Throws the failures that the program has not received. */
    void drain() {
        replies.scans().release();
        sender.flush();
        blockingWaits.during("synchronize", () -> limiter.awaitIdle(termination::isOver));
        termination.requireRunning();
        termination.report(replies.failures().reportAll());
    }
}
