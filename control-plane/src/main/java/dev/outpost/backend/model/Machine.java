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
 * @param id drawn by the client
 * @param epoch counts the attempts at this machine on a cluster, from 1
 * @param version counts the changes of this row
 * @param phase how far it is
 * @param since when that began
 * @param text a sentence: what it waits for, what is being done, why it ended
 * @param cluster where it is, from its admission on
 * @param address where it serves, once that is known
 * @param created when it was asked for
 * @param placed when it was admitted
 * @param endsAt when it ends by itself
 * @param lostFrom the phase that it was lost in, and goes back to
 * @param endAsked when its end was asked for
 * @param endReason why it ends or has ended
 * @param grantsDue whether there are grants that the machine was not told of
 * @param member under which id its cluster knows it, where it comes from a pool
 * @param kind the kind of GPU that it was given, once it has a cluster
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

    /** One that was just asked for, and waits. */
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

    /** One that is on a cluster already, whose row was lost. It takes the place of one that waits. */
    public static Machine found(UUID id, int epoch, Request request, Instant now) {
        return queued(id, epoch, request, Phase.POSITION, "it was found on its cluster", now);
    }

    /** True if the quota counts the machine. A machine that waits for the quota does not count yet. */
    public boolean holdsQuota() {
        return phase != Phase.QUOTA && phase != Phase.ENDED;
    }

    /** The kind of GPU that prices and quotas go by: the one that it was given, or else the one that was asked for. */
    public String gpu() {
        return kind.orElse(request.gpu());
    }

    /** The request as quotas and bills count it. */
    public Request counted() {
        return kind.isEmpty() ? request : request.withGpu(kind.get());
    }

    /** Under which id its cluster knows it. */
    public UUID suppliedAs() {
        return member.orElse(id);
    }

    MachineChange change() {
        return new MachineChange(this);
    }
}
