package dev.outpost.backend.model;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Builds the next row of a machine, field by field. */
final class MachineChange {
    private final Machine from;
    private Phase phase;
    private Instant since;
    private String text;
    private Optional<String> cluster;
    private Optional<Machine.Address> address;
    private Optional<Instant> placed;
    private Optional<Instant> endsAt;
    private Optional<Phase> lostFrom;
    private Optional<Instant> endAsked;
    private Optional<EndReason> endReason;
    private boolean grantsDue;
    private Optional<UUID> member;
    private Optional<String> kind;

    MachineChange(Machine from) {
        this.from = from;
        this.phase = from.phase();
        this.since = from.since();
        this.text = from.text();
        this.cluster = from.cluster();
        this.address = from.address();
        this.placed = from.placed();
        this.endsAt = from.endsAt();
        this.lostFrom = from.lostFrom();
        this.endAsked = from.endAsked();
        this.endReason = from.endReason();
        this.grantsDue = from.grantsDue();
        this.member = from.member();
        this.kind = from.kind();
    }

    MachineChange phase(Phase next, Instant now) {
        if (next != phase) {
            phase = next;
            since = now;
        }
        return this;
    }

    MachineChange text(String next) {
        text = next;
        return this;
    }

    MachineChange placed(String where, Instant when) {
        cluster = Optional.of(where);
        placed = Optional.of(when);
        return this;
    }

    MachineChange kind(Optional<String> next) {
        kind = next;
        return this;
    }

    MachineChange address(Optional<Machine.Address> next) {
        address = next.or(() -> address);
        return this;
    }

    MachineChange endsAt(Optional<Instant> next) {
        endsAt = next;
        return this;
    }

    MachineChange lostFrom(Optional<Phase> next) {
        lostFrom = next;
        return this;
    }

    /** Sets the reason of the end, unless a reason is already set. */
    MachineChange end(EndReason reason, Instant when) {
        endAsked = endAsked.or(() -> Optional.of(when));
        endReason = endReason.or(() -> Optional.of(reason));
        return this;
    }

    MachineChange grantsDue(boolean next) {
        grantsDue = next;
        return this;
    }

    MachineChange member(UUID next) {
        member = Optional.of(next);
        return this;
    }

    /** Returns the old row if nothing changed, else a row with the next version. */
    Machine row() {
        Machine same = row(from.version());
        return same.equals(from) ? from : row(from.version() + 1);
    }

    private Machine row(long version) {
        return new Machine(
                from.id(),
                from.epoch(),
                version,
                from.request(),
                phase,
                since,
                Objects.requireNonNull(text),
                cluster,
                address,
                from.created(),
                placed,
                endsAt,
                lostFrom,
                endAsked,
                endReason,
                grantsDue,
                member,
                kind);
    }
}
