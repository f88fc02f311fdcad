package dev.outpost.provider;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A machine as a list shows it.
 *
 * @param id what {@link MachineKeeper#attach} and {@link MachineKeeper#stop} take
 * @param gpu the GPU that was asked for
 * @param state a word or a short sentence: {@code running}, {@code waiting for a GPU}, {@code ended: idle for 10 minutes}
 * @param owner who asked for it, such as {@code ada@laptop}
 * @param created when it was asked for
 * @param ends when it ends at the latest, where that is known
 * @param attachable whether it lives without a client, so that others can attach to it
 */
public record MachineSummary(
        String id,
        String gpu,
        String state,
        String owner,
        Instant created,
        Optional<Instant> ends,
        boolean attachable) {

    public MachineSummary {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(ends, "ends");
    }
}
