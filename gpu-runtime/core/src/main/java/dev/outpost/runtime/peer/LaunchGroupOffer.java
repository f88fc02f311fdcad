package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceExchange;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A member's offer to launch several exchanges at once, with all that it computes between them. Where all members offer the same
 * exchanges, each of them launches its own. Otherwise the exchanges go one by one, and the first of them, which has told the
 * offer, goes on as any other. Made and answered by the thread that begins exchanges.
 */
public final class LaunchGroupOffer {
    /** The next step of the first exchange: the launch of the unit, or the fault of its own operand. */
    private record Next(Completion launched, Optional<Fault> lost) {}

    private final long last;
    private final CompletableFuture<Boolean> agreed = new CompletableFuture<>();
    private final CompletableFuture<Next> next = new CompletableFuture<>();
    /** The operand of the first exchange, until it is exchanged. */
    private final AtomicReference<DeviceExchange> prepared = new AtomicReference<>();

    private PeerGroup.Underway exchange;

    /** @param last the number of the last exchange of those that are offered */
    LaunchGroupOffer(long last) {
        this.last = last;
    }

    /** Waits for the other members; the answer is whether all of them offer the same. */
    public boolean awaitAgreement() throws InterruptedException {
        try {
            return agreed.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The first exchange, or all of them where that was agreed. */
    public PeerGroup.Underway exchange() {
        return exchange;
    }

    /**
     * All is launched, as was agreed.
     *
     * @param done when it has run
     */
    public void launched(Completion done) {
        next.complete(new Next(done, Optional.empty()));
    }

    /**
     * The first exchange goes on by itself, as was not agreed.
     *
     * @param ready null where this member has nothing to give
     * @param lost why it has nothing
     */
    public void resume(DeviceExchange ready, Optional<Fault> lost) {
        prepared.set(ready);
        if (!next.complete(new Next(null, lost))) {
            drop();
        }
    }

    /** This member never comes to the exchange. */
    public void leave(Throwable reason) {
        next.completeExceptionally(reason);
    }

    // ---- the exchange that tells it

    void begun(PeerGroup.Underway underway) {
        exchange = underway;
    }

    long last() {
        return last;
    }

    void agree(boolean isAgreed) {
        agreed.complete(isAgreed);
    }

    /** Waits until all is launched. */
    Completion awaitLaunch() throws InterruptedException {
        return awaitNext().launched;
    }

    /** Waits until this member has come to the exchange. */
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

    /** The exchange is over, whatever came of it. */
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
