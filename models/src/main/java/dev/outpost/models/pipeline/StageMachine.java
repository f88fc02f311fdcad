package dev.outpost.models.pipeline;

import dev.outpost.RemoteMachine;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A machine that may hold layers of a {@link PipelineLM}.
 *
 * @param name the name in error messages
 * @param machine the machine that computes
 * @param host the address at which other machines reach it, if the machine itself does not know it
 * @param memoryBytes the memory for layers and caches, in bytes
 * @param isLost returns true if the machine counts as lost; does not wait
 * @param again returns a new connection to the machine if it can be reached again; may take a second
 * @param whenLeft called when the model does not use the machine any more
 */
public record StageMachine(
        String name,
        RemoteMachine machine,
        Optional<String> host,
        long memoryBytes,
        BooleanSupplier isLost,
        Supplier<Optional<StageMachine>> again,
        Runnable whenLeft) {

    /** Returns a machine of the caller, with unknown memory. It counts as lost when its session has ended. */
    public static StageMachine of(RemoteMachine machine, String name) {
        return new StageMachine(
                name, machine, Optional.empty(), Long.MAX_VALUE / 4, () -> false, Optional::empty, () -> {});
    }
}
