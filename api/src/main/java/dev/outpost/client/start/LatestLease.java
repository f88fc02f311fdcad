package dev.outpost.client.start;

import dev.outpost.provider.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lease that a source handed out last. Thread-safe. */
public final class LatestLease {
    private volatile @Nullable Lease lease;

    /** Wraps a source so that its leases are remembered. */
    public MachineSource of(MachineSource source) {
        return progress -> source.lease(progress).invoke(next -> lease = next);
    }

    /** Returns the machine; empty until the provider has handed one out. */
    public Optional<Lease> known() {
        return Optional.ofNullable(lease);
    }

    /** @throws IllegalStateException if there has been no machine yet */
    public Lease required(String call) {
        Lease known = lease;
        if (known == null) {
            throw new IllegalStateException(call + ": the machine is not there yet; await it by awaitReady() first");
        }
        return known;
    }
}
