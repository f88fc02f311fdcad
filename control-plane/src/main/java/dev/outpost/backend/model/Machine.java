package dev.outpost.backend.model;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A machine's row.
 *
 * @param id the id, which the client draws
 * @param epoch the number of the attempt to run this machine on a cluster, from 1
 * @param version counts the changes of this row
 * @param phase the stage of its life
 * @param since the time at which the phase began
 * @param text a sentence about its state: the reason of its waiting, the current step, or the reason of its end
 * @param cluster its cluster, from its admission on
 * @param address the address at which it serves, once known
 * @param created the time of the request
 * @param placed the time of its admission
 * @param endsAt the time at which it ends by itself
 * @param lostFrom the phase in which it was lost, and to which it returns
 * @param endAsked the time at which its end was requested
 * @param endReason the reason of its end
 * @param grantsDue true if there are grants that were not sent to the machine
 * @param member its id at its cluster, if it comes from a pool
 * @param kind the kind of its GPU, once it has a cluster
 */
public record Machine(
        UUID id,
        int epoch,
        long version,
        Request request,
        Phase phase,
        Instant since,
        String text,
        Optional<String> cluster,
        Optional<Address> address,
        Instant created,
        Optional<Instant> placed,
        Optional<Instant> endsAt,
        Optional<Phase> lostFrom,
        Optional<Instant> endAsked,
        Optional<EndReason> endReason,
        boolean grantsDue,
        Optional<UUID> member,
        Optional<String> kind) {

    /**
     * The address at which a machine serves.
     *
     * @param certificate the SHA-256 of its certificate, in hex
     */
    public record Address(String host, int port, String certificate) {}

    public Machine {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(created, "created");
    }

    /** Makes the row of a new, waiting request. */
    public static Machine queued(UUID id, Request request, Phase phase, String text, Instant now) {
        return queued(id, 1, request, phase, text, now);
    }

    private static Machine queued(UUID id, int epoch, Request request, Phase phase, String text, Instant now) {
        return new Machine(
                id,
                epoch,
                1,
                request,
                phase,
                now,
                text,
                Optional.empty(),
                Optional.empty(),
                now,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty());
    }

    /** Makes the row of a machine that runs on a cluster and whose row was lost. */
    public static Machine found(UUID id, int epoch, Request request, Instant now) {
        return queued(id, epoch, request, Phase.POSITION, "it was found on its cluster", now);
    }

    /** True if the quota counts the machine. A machine that waits for the quota does not count yet. */
    public boolean holdsQuota() {
        return phase != Phase.QUOTA && phase != Phase.ENDED;
    }

    /** Returns the kind of GPU for prices and quotas: the kind that it got, or else the requested kind. */
    public String gpu() {
        return kind.orElse(request.gpu());
    }

    /** Returns the request with the kind of GPU that the machine got. Quotas and bills count this request. */
    public Request counted() {
        return kind.isEmpty() ? request : request.withGpu(kind.get());
    }

    /** Returns the id of the machine at its cluster. */
    public UUID suppliedAs() {
        return member.orElse(id);
    }

    MachineChange change() {
        return new MachineChange(this);
    }
}
