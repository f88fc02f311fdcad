package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceExchange;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A member's offer to launch several exchanges at once, with all its computations between them. If all members offer
 * the same exchanges, each of them launches its own group. Otherwise the exchanges run one by one, and the first one,
 * which carried the offer, continues without the group. The thread that begins exchanges makes the offer and waits
 * for the answers.
 */
public final class LaunchGroupOffer {
    /**
     * The next step of the first exchange: the launch of the group, or its own start, perhaps with the fault of its
     * operand.
     */
    private record Next(Completion launched, Optional<Fault> lost) {}

    private final long last;
    private final CompletableFuture<Boolean> agreed = new CompletableFuture<>();
    private final CompletableFuture<Next> next = new CompletableFuture<>();
    /** The operand of the first exchange, until it is exchanged. */
    private final AtomicReference<DeviceExchange> prepared = new AtomicReference<>();

    private PeerGroup.Underway exchange;

    /** @param last the number of the last exchange of the offer */
    LaunchGroupOffer(long last) {
        this.last = last;
    }

    /** Waits for the other members. Returns true if all of them offer the same exchanges. */
    public boolean awaitAgreement() throws InterruptedException {
        try {
            return agreed.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the first exchange, or all of them if the offer was agreed. */
    public PeerGroup.Underway exchange() {
        return exchange;
    }

    /**
     * Records that the group was launched as agreed.
     *
     * @param done the completion that is done when the group has run
     */
    public void launched(Completion done) {
        next.complete(new Next(done, Optional.empty()));
    }

    /**
     * Continues the first exchange alone, because the members did not agree on the offer.
     *
     * @param ready the exchange; null if this member lost its operand
     * @param lost the fault of the lost operand
     */
    public void resume(DeviceExchange ready, Optional<Fault> lost) {
        prepared.set(ready);
        if (!next.complete(new Next(null, lost))) {
            drop();
        }
    }

    /** Records that this member will never begin the exchange. */
    public void leave(Throwable reason) {
        next.completeExceptionally(reason);
    }

    // ---- called by the exchange that carries the offer

    void begun(PeerGroup.Underway underway) {
        exchange = underway;
    }

    long last() {
        return last;
    }

    void agree(boolean isAgreed) {
        agreed.complete(isAgreed);
    }

    /** Waits until the group is launched. */
    Completion awaitLaunch() throws InterruptedException {
        return awaitNext().launched;
    }

    /** Waits until this member begins the first exchange by itself, and returns its operand. */
    DeviceExchange awaitOperand() throws InterruptedException, PeerFaultException {
        Optional<Fault> lost = awaitNext().lost;
        if (lost.isPresent()) {
            throw new PeerFaultException(lost.get());
        }
        return prepared.getAndSet(null);
    }

    private Next awaitNext() throws InterruptedException {
        try {
            return next.get();
        } catch (ExecutionException failure) {
            throw new PeerLostException(
                    "this member has left the exchange: " + failure.getCause().getMessage());
        }
    }

    /** Ends the offer, whether its exchange succeeded or failed. */
    void end() {
        agree(false);
        leave(new IllegalStateException("it is over"));
        drop();
    }

    private void drop() {
        DeviceExchange unused = prepared.getAndSet(null);
        if (unused != null) {
            unused.cancel();
        }
    }
}
