package dev.outpost.provider.k8s.reach;

import java.time.Duration;

/** A way to a machine's session port. Host and port stay the same until it is closed. */
public interface MachineRoute extends AutoCloseable {
    /** A name or an address; an IPv6 address without brackets. */
    String host();

    int port();

    /** How long the way has been interrupted, as far as it is known; nothing while it is open. */
    default Duration cutOff() {
        return Duration.ZERO;
    }

    /** Lets go of what the way holds on this host. Closing again does nothing. */
    @Override
    void close();
}
