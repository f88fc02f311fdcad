package dev.outpost.client.start;

import dev.outpost.provider.ProvisioningStep;

/** Shows the progress of a machine's start. Called by one thread at a time; must not block. */
public interface StartView {
    /** Shows a step. After a successful start the last phase is {@code READY}: the machine has answered. */
    void step(ProvisioningStep step);

    /** Called once when the start is over, with or without a machine. */
    default void end() {}
}
