package dev.outpost;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A value on its way to another machine, sent by {@link PeerLinks#transfer}. Ops may use the value before it has arrived. Thread-safe. */
public final class Transfer {
    private final Tensor value;
    private final CompletableFuture<HostTensor> arrival;

    Transfer(Tensor value, CompletableFuture<HostTensor> arrival) {
        this.value = value;
        this.arrival = arrival;
    }

    /** Returns the value on the other machine. The caller closes it. */
    public Tensor value() {
        return value;
    }

    /** True if the value has arrived or the transfer has failed. */
    public boolean isComplete() {
        return arrival.isDone();
    }

    /** Waits until the value has arrived and returns it. Throws if the transfer failed. */
    public Tensor await() {
        try {
            arrival.get();
            return value;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof OutpostException told) {
                throw told;
            }
            throw new OutpostException(
                    FaultKind.INTERNAL, "links: a transfer failed: " + failure.getCause(), failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "links: interrupted while waiting for a value", interrupted);
        }
    }
}
