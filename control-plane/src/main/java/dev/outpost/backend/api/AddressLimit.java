package dev.outpost.backend.api;

import dev.outpost.provider.support.AddressGuard;
import dev.outpost.rest.LimitView;
import java.util.function.LongSupplier;

/**
 * Limits the rate of one kind of request to this replica, for each address and for all addresses together.
 * Thread-safe.
 */
final class AddressLimit {
    private static final int ADDRESSES = 10;

    private final String what;
    private final int perSecond;
    private final AddressGuard guard;

    /**
     * Makes a limit for each address, and a limit ten times as high for all of them together.
     *
     * @param what the name of the counted events, such as {@code logins}
     * @param nanos a monotonic clock
     */
    AddressLimit(String what, int perSecond, LongSupplier nanos) {
        this.what = what;
        this.perSecond = perSecond;
        int burst = perSecond * RateLimits.BURST_SECONDS;
        this.guard = new AddressGuard(perSecond, burst, perSecond * ADDRESSES, burst * ADDRESSES, nanos);
    }

    /** Counts an event. Throws a {@link Problem} if the limit is reached. */
    void take(String address) {
        guard.take(address).ifPresent(refusal -> {
            int allowed = refusal.isOfAll() ? perSecond * ADDRESSES : perSecond;
            String name = (refusal.isOfAll() ? "all-addresses/" : "address/") + what.replace(' ', '-') + "-per-second";
            throw Problem.tooMany(
                    refusal.isOfAll() ? "all addresses" : "this address",
                    what,
                    new LimitView(name, allowed, 1, allowed),
                    refusal.delay());
        });
    }

    /** Removes a harmless event from the count. */
    void release(String address) {
        guard.refund(address);
    }
}
