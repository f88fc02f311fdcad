package dev.outpost.provider;

import java.util.Objects;

/**
 * A request for several machines at once.
 *
 * @param machine the specification of each machine
 * @param size the number of machines, 1 or more
 * @param isOneHost true if the machines must use GPUs of one host; otherwise they may be on different hosts
 */
public record GroupSpec(MachineSpec machine, int size, boolean isOneHost) {
    public GroupSpec {
        Objects.requireNonNull(machine, "machine");
        if (size < 1) {
            throw new IllegalArgumentException("group: expected 1 or more machines, got " + size);
        }
    }
}
