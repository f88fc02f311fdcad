package dev.outpost.client.link;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.types.OutpostException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes messages from the outbox to the lane. A thread of the session does this, and may block on the lane. A caller
 * that waits for an answer sends the messages itself if this does not block, because waking a thread takes longer
 * than sending.
 */
public final class Sender {
    private final Outbox outbox;
    private final ReliableLane lane;
    private final InFlightLimiter limiter;
    private final Consumer<Throwable> onDefect;

    /**
     * @param onDefect called on the sender thread for an unexpected exception. The payload being sent is then missing
     *     in the order of messages, so the session must end
     */
    public Sender(Outbox outbox, ReliableLane lane, InFlightLimiter limiter, Consumer<Throwable> onDefect) {
        this.outbox = outbox;
        this.lane = lane;
        this.limiter = limiter;
        this.onDefect = onDefect;
    }

    /** Sends until the outbox is closed. */
    public void run() {
        try {
            for (byte[] payload = outbox.take(); payload != null; payload = outbox.take()) {
                lane.send(payload);
                outbox.sent();
                limiter.changed();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutpostException ignored) {
            outbox.discard();
        } catch (RuntimeException | Error failure) {
            onDefect.accept(failure);
        }
    }

    /** Asks a question that adds urgent messages, and sends them before returning. Must not be called under the session's lock. */
    public <T> T asking(Supplier<T> question) {
        outbox.expect();
        try {
            return question.get();
        } finally {
            sendUrgent();
        }
    }

    /** Sends all messages of the outbox now. Must not be called under the session's lock. */
    public void flush() {
        asking(() -> {
            outbox.urge();
            return null;
        });
    }

    private void sendUrgent() {
        byte[] payload = outbox.takeUrgent();
        while (payload != null) {
            payload = offer(payload) ? outbox.sentUrgent() : null;
        }
    }

    private boolean offer(byte[] payload) {
        try {
            if (lane.offer(payload)) {
                limiter.changed();
                return true;
            }
            outbox.putBack(payload);
        } catch (OutpostException ignored) {
            outbox.discard();
        } catch (RuntimeException | Error failure) {
            onDefect.accept(failure);
        }
        return false;
    }
}
