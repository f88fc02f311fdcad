package dev.outpost.client.link;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.types.OutpostException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Brings what is in the outbox to the lane. A thread of the session does, and waits where it must; who waits for an answer does
 * so itself where that need not wait, for to wake a thread takes longer than to send.
 */
public final class Sender {
    private final Outbox outbox;
    private final ReliableLane lane;
    private final InFlightLimiter limiter;
    private final Consumer<Throwable> onDefect;

    /**
     * @param onDefect told by the thread that sends of a defect below it; what was about to be sent is then a gap in the order of the
     *     program, so the session must end
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

    /** Asks, by what adds urgent messages, and sends them before it returns. Not to be called under the session's lock. */
    public <T> T asking(Supplier<T> question) {
        outbox.expect();
        try {
            return question.get();
        } finally {
            sendUrgent();
        }
    }

    /** Sends all that is in the outbox, for who waits for what comes of it. Not to be called under the session's lock. */
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
