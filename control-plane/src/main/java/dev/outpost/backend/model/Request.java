package dev.outpost.backend.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The request for a machine, which never changes.
 *
 * @param organisation the owner of the machine
 * @param project the project that pays
 * @param owner the name of the requester, shown in lists
 * @param gpu the requested kind of GPU, by the catalogue's name; {@link Machine#gpu} is the kind that was given
 * @param gpus the number of GPUs of each member
 * @param members the number of machines of the request; always 1 at present
 * @param life the longest life from its admission; if empty, it lives until it is ended
 * @param lease the time that the machine lives without a client; if empty, it needs no client
 * @param idle the time that the machine lives without an instruction
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

    /** Returns the same request for another kind of GPU. */
    public Request withGpu(String kind) {
        return new Request(organisation, project, owner, kind, gpus, members, life, lease, idle);
    }

    /** Returns the number of GPUs of all members, which quotas, queue and ledger count. */
    public int allGpus() {
        return Math.multiplyExact(gpus, members);
    }
}
