package dev.outpost.provider;

import java.util.Objects;

/**
 * Several machines that a user asks for at once.
 *
 * @param machine each of them
 * @param size how many, from 1 on
 * @param isOneHost whether they are GPUs of one host; else each may be on a host of its own
 */
public record GroupSpec(MachineSpec machine, int size, boolean isOneHost) {
    public GroupSpec {
        Objects.requireNonNull(machine, "machine");
        if (size < 1) {
            throw new IllegalArgumentException("group: expected 1 or more machines, got " + size);
        }
    }
}
