package dev.outpost.backend.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The request for a machine, which never changes.
 *
 * @param organisation whose machine it is
 * @param project which of its projects pays
 * @param owner who asked, as a list shows it
 * @param gpu the kind of GPU as it was asked for, by the catalogue's name; {@link Machine#gpu} says which one was given
 * @param gpus how many of them each member has
 * @param members how many machines are one request; 1 so far
 * @param life how long it lives at the most from its admission; until it is ended where it is not said
 * @param lease how long it outlives its last client; it does without one where it is not said
 * @param idle how long it lives without an instruction
 */
public record Request(
        String organisation,
        String project,
        String owner,
        String gpu,
        int gpus,
        int members,
        Optional<Duration> life,
        Optional<Duration> lease,
        Optional<Duration> idle) {

    public Request {
        Objects.requireNonNull(organisation, "organisation");
        Objects.requireNonNull(project, "project");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(gpu, "gpu");
        if (gpus < 1 || members < 1) {
            throw new IllegalArgumentException(
                    "machine: expected 1 GPU and 1 member or more, got " + gpus + " and " + members);
        }
    }

    /** The same for another kind of GPU. */
    public Request withGpu(String kind) {
        return new Request(organisation, project, owner, kind, gpus, members, life, lease, idle);
    }

    /** The GPUs of all members: what quotas, queue and ledger count. */
    public int allGpus() {
        return Math.multiplyExact(gpus, members);
    }
}
