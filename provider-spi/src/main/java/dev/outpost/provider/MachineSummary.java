package dev.outpost.provider;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A machine in a list.
 *
 * @param id the id for {@link MachineKeeper#attach} and {@link MachineKeeper#stop}
 * @param gpu the GPU that was requested
 * @param state a word or a short sentence: {@code running}, {@code waiting for a GPU}, {@code ended: idle for 10 minutes}
 * @param owner the user who requested it, such as {@code ada@laptop}
 * @param created the time of its request
 * @param ends the latest time of its end, if it is known
 * @param attachable true if it lives without a client, so that any client can attach to it
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
