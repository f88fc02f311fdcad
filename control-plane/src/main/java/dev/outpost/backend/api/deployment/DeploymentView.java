package dev.outpost.backend.api.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.model.Deployment;
import dev.outpost.backend.model.Replica;
import dev.outpost.backend.store.DeploymentRows.FirstToken;
import dev.outpost.backend.store.DeploymentRows.Revision;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A deployment as the API shows it.
 *
 * @param revision the one that replicas are started of
 * @param proven the last one of which a replica has served
 * @param wanted how many replicas there shall be now
 * @param text a sentence: what it does, or why it does not serve
 * @param zeroToToken from a request that found no replica to its first token, of the latest such start; of one deployment that is asked for
 * @param zeroToTokenTold when a gateway told that
 * @param revisions the latest 200, of one deployment that is asked for
 * @param replicas its machines, of one deployment that is asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeploymentView(
        String name,
        long version,
        String project,
        int min,
        int max,
        int target,
        Duration idle,
        int revision,
        Integer proven,
        int wanted,
        String text,
        Duration zeroToToken,
        Instant zeroToTokenTold,
        List<RevisionView> revisions,
        List<ReplicaView> replicas) {

    /** The properties of a revision's replicas. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RevisionView(
            int number, String model, String gpu, String dtype, Instant created, String createdBy, String failure) {
        static RevisionView of(Revision stored) {
            return new RevisionView(
                    stored.number(),
                    stored.model(),
                    stored.gpu(),
                    stored.dtype().orElse(null),
                    stored.created(),
                    stored.createdBy(),
                    stored.failure().orElse(null));
        }
    }

    /** A machine of it, and how each gateway uses that. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ReplicaView(
            UUID machine, int revision, Phase phase, String text, Instant drainingSince, List<UseView> gateways) {
        static ReplicaView of(Replica replica) {
            return new ReplicaView(
                    replica.machine(),
                    replica.revision(),
                    replica.phase(),
                    replica.machineText(),
                    replica.drainingSince().orElse(null),
                    replica.uses().stream().map(UseView::of).toList());
        }
    }

    /** The latest report of a gateway about a replica. */
    public record UseView(
            String gateway, Replica.State state, int requests, double cacheUse, String text, Instant reported) {
        static UseView of(Replica.Use use) {
            return new UseView(use.gateway(), use.state(), use.requests(), use.cacheUse(), use.text(), use.reported());
        }
    }

    /** For lists. */
    static DeploymentView of(Deployment row) {
        return of(row, Optional.empty(), null, null);
    }

    static DeploymentView of(
            Deployment row, Optional<FirstToken> first, List<Revision> revisions, List<Replica> replicas) {
        return new DeploymentView(
                row.name(),
                row.version(),
                row.project(),
                row.scale().min(),
                row.scale().max(),
                row.scale().target(),
                row.scale().idle(),
                row.revision(),
                row.proven().orElse(null),
                row.wanted(),
                row.text(),
                first.map(FirstToken::took).orElse(null),
                first.map(FirstToken::told).orElse(null),
                revisions == null
                        ? null
                        : revisions.stream().map(RevisionView::of).toList(),
                replicas == null ? null : replicas.stream().map(ReplicaView::of).toList());
    }
}
