package dev.outpost.provider.k8s.reach;

import java.time.Duration;

/** A route to a machine's session port. Host and port stay the same until it is closed. */
public interface MachineRoute extends AutoCloseable {
    /** Returns a name or an address; an IPv6 address without brackets. */
    String host();

    int port();

    /** Returns the time for which the route has been interrupted, as far as this is known; zero while it is open. */
    default Duration cutOff() {
        return Duration.ZERO;
    }

    /** Releases the route's resources on this host. Closing again does nothing. */
    @Override
    void close();
}
