package dev.outpost.client.start;

import dev.outpost.provider.ProvisioningStep;

/** Shows how the start of a machine goes. Called by one thread at a time; must not block. */
public interface StartView {
    /** The last one of a machine that comes is {@code READY}: it has answered. */
    void step(ProvisioningStep step);

    /** The start is over, whether the machine is there or not. Called once. */
    default void end() {}
}
