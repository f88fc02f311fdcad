package dev.outpost.provider.k8s.reach;

import java.util.Objects;

/** Where a machine answers by itself: nothing is held open for it. */
record Address(String host, int port) implements MachineRoute {
    Address {
        Objects.requireNonNull(host, "host");
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
