package dev.outpost.models.pipeline;

import dev.outpost.RemoteMachine;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A machine that may hold layers of a {@link PipelineLM}.
 *
 * @param name what errors call it
 * @param machine where it computes
 * @param host where the other machines find it, where that is known better than the machine itself does
 * @param memoryBytes what layers and caches may take there
 * @param isLost whether it counts as lost; does not wait
 * @param again the machine anew, where it is there again after it was lost; asks, and may take a second
 * @param whenLeft called when it is not used any more
 */
public record StageMachine(
        String name,
        RemoteMachine machine,
        Optional<String> host,
        long memoryBytes,
        BooleanSupplier isLost,
        Supplier<Optional<StageMachine>> again,
        Runnable whenLeft) {

    /** A machine of the caller's, whose memory is not known, and of whose loss only its session tells. */
    public static StageMachine of(RemoteMachine machine, String name) {
        return new StageMachine(
                name, machine, Optional.empty(), Long.MAX_VALUE / 4, () -> false, Optional::empty, () -> {});
    }
}
