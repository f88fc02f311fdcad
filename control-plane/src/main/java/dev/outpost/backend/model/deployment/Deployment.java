package dev.outpost.backend.model.deployment;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A deployment's row: a named endpoint that serves a model.
 *
 * @param version counts the changes that users make
 * @param revision the revision of new replicas
 * @param proven the last revision of which a replica has served; a bad revision is rolled back to it
 * @param wanted the desired number of replicas
 * @param busyAt the time of its last request
 * @param lowSince the time since which fewer replicas would be enough
 * @param failures the number of replicas of this revision in a row that failed before they served
 * @param retryAt the time before which no further replica is started
 * @param text a sentence about its state, or the reason why it does not serve
 * @param isRemoved true if it is removed as soon as its replicas have ended
 */
public record Deployment(
        String organisation,
        String project,
        String name,
        long version,
        Scale scale,
        int revision,
        Optional<Integer> proven,
        int wanted,
        Instant busyAt,
        Optional<Instant> lowSince,
        int failures,
        Optional<Instant> retryAt,
        String text,
        boolean isRemoved) {

    public Deployment {
        Objects.requireNonNull(organisation, "organisation");
        Objects.requireNonNull(project, "project");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(scale, "scale");
        Objects.requireNonNull(text, "text");
    }

    /** Makes the row of a new deployment. */
    public static Deployment created(String organisation, String project, String name, Scale scale, Instant now) {
        return new Deployment(
                organisation,
                project,
                name,
                1,
                scale,
                1,
                Optional.empty(),
                scale.min(),
                now,
                Optional.empty(),
                0,
                Optional.empty(),
                "created",
                false);
    }

    /** Returns the row after a change by a user: with the next version, this scale, and another revision if one is given. */
    public Deployment changed(Scale next, Optional<Integer> nextRevision) {
        return new Deployment(
                organisation,
                project,
                name,
                version + 1,
                next,
                nextRevision.orElse(revision),
                proven,
                next.clamp(wanted),
                busyAt,
                Optional.empty(),
                nextRevision.isPresent() ? 0 : failures,
                nextRevision.isPresent() ? Optional.empty() : retryAt,
                nextRevision
                        .map(number -> "revision " + number + " is rolled out")
                        .orElse(text),
                isRemoved);
    }

    public Deployment removed() {
        return new Deployment(
                organisation,
                project,
                name,
                version + 1,
                scale,
                revision,
                proven,
                0,
                busyAt,
                Optional.empty(),
                failures,
                retryAt,
                "it is removed",
                true);
    }

    Deployment scaled(int replicas, Instant busy, Optional<Instant> low) {
        return new Deployment(
                organisation,
                project,
                name,
                version,
                scale,
                revision,
                proven,
                replicas,
                busy,
                low,
                failures,
                retryAt,
                text,
                isRemoved);
    }

    Deployment rolled(int nextRevision, Optional<Integer> served, int failed, Optional<Instant> retry) {
        return new Deployment(
                organisation,
                project,
                name,
                version,
                scale,
                nextRevision,
                served,
                wanted,
                busyAt,
                lowSince,
                failed,
                retry,
                text,
                isRemoved);
    }

    public Deployment saying(String sentence) {
        return new Deployment(
                organisation,
                project,
                name,
                version,
                scale,
                revision,
                proven,
                wanted,
                busyAt,
                lowSince,
                failures,
                retryAt,
                sentence,
                isRemoved);
    }
}
