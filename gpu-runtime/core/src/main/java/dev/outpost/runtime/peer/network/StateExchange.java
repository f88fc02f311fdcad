package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.peer.PeerLostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The word of two members about what they do. Whoever hears a question never waits; one answer is on its way at a time. Thread-safe. */
final class StateExchange {
    /** Of a state. */
    static final int MAX_BYTES = 64 << 10;

    private final AtomicBoolean isAnswering = new AtomicBoolean();
    private volatile Supplier<byte[]> own;
    private volatile Slice heard;

    /** Sends an answer. */
    @FunctionalInterface
    interface Sender {
        void send(Slice state) throws InterruptedException;
    }

    void announce(Supplier<byte[]> state) {
        own = state;
    }

    /** The other member asks. A question that comes while an answer is on its way is that answer's as well. */
    void asked(Sender sender) {
        Supplier<byte[]> state = own;
        if (state == null || !isAnswering.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("outpost-peer-state").start(() -> {
            try {
                byte[] snapshot = state.get();
                if (snapshot.length <= MAX_BYTES) {
                    sender.send(new Slice(snapshot));
                }
            } catch (InterruptedException | PeerLostException ignored) {
                // The member that asked is gone.
            } finally {
                isAnswering.set(false);
            }
        });
    }

    void onMessage(Slice state) {
        heard = state;
    }

    /** What the other member last told. */
    Optional<Slice> latest() {
        return Optional.ofNullable(heard);
    }
}
