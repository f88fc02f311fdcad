package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.peer.PeerLostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Exchanges the states of two members. The thread that receives a request never waits. One answer is sent at a time. Thread-safe. */
final class StateExchange {
    /** The maximum number of bytes of a state. */
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

    /** Answers a request of the other member. A request that arrives while an answer is being sent is dropped. */
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
                // The member that sent the request is gone.
            } finally {
                isAnswering.set(false);
            }
        });
    }

    void onMessage(Slice state) {
        heard = state;
    }

    /** Returns the latest state of the other member. */
    Optional<Slice> latest() {
        return Optional.ofNullable(heard);
    }
}
