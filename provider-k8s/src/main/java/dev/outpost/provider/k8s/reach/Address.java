package dev.outpost.provider.k8s.reach;

import java.util.Objects;

/** A direct route to a machine's own address. It holds no resource on this host. */
record Address(String host, int port) implements MachineRoute {
    Address {
        Objects.requireNonNull(host, "host");
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
