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
 * @param host the address for the other machines, if the caller knows it better than the machine does
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

    /** Returns a machine of the caller, with unknown memory. Only its session shows its loss. */
    public static StageMachine of(RemoteMachine machine, String name) {
        return new StageMachine(
                name, machine, Optional.empty(), Long.MAX_VALUE / 4, () -> false, Optional::empty, () -> {});
    }
}
