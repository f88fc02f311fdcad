package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ReplicaRows;
import dev.outpost.provider.GpuCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The request of a client.
 *
 * @param project which project pays; the key's, or {@code default}
 * @param gpu a name of the catalogue, or {@code any}
 * @param gpus how many; 1 unless given
 * @param life how long it lives at the most, such as {@code PT2H}
 * @param lease how long it outlives its last client, such as {@code PT1M}
 * @param idle how long it lives without an instruction
 * @param owner who asks, as a list shows it
 * @param tokenSha256 the SHA-256 of the token that the client has drawn, in hex; the token itself stays with the client
 * @param secrets the names of secrets of the project that the machine's sources are given, such as {@code HF_TOKEN}
 */
public record MachineRequest(
        String project,
        String gpu,
        Integer gpus,
        Duration life,
        Duration lease,
        Duration idle,
        String owner,
        String tokenSha256,
        List<String> secrets) {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    /** Refuses what cannot be; a {@link Problem} names the field, the value and what was expected. */
    Request checked(Caller caller, GpuCatalogue catalogue) {
        if (life == null && lease == null) {
            throw Problem.invalid(
                    "life, lease: at least one is wanted, so that a machine that nobody uses ends by itself");
        }
        if (gpus != null && gpus != 1) {
            throw Problem.invalid("gpus: one GPU a machine is supported so far, got " + gpus);
        }
        return new Request(
                caller.organisation(),
                caller.projectOr(Optional.ofNullable(project)),
                checkedOwner(owner == null ? "key " + caller.keyId() : owner),
                catalogue.find(gpu == null ? "any" : gpu).name(),
                1,
                1,
                time("life", life),
                time("lease", lease),
                time("idle", idle));
    }

    /** Bills tell the replicas of a deployment from other machines by their owner. */
    static String checkedOwner(String owner) {
        if (ResourceNames.text("owner", owner).startsWith(ReplicaRows.OWNER)) {
            throw Problem.invalid("owner: expected one that does not begin with \"" + ReplicaRows.OWNER
                    + "\", which replicas of deployments have, got " + ResourceNames.shown(owner));
        }
        return owner;
    }

    /** The names of secrets, each once. */
    SortedSet<String> secretNames() {
        if (secrets == null) {
            return new TreeSet<>();
        }
        if (secrets.size() > Bounds.MACHINE_SECRETS || secrets.stream().anyMatch(Objects::isNull)) {
            throw Problem.invalid(
                    "secrets: expected up to " + Bounds.MACHINE_SECRETS + " names of secrets of the project");
        }
        return new TreeSet<>(secrets);
    }

    Optional<String> token() {
        return Optional.ofNullable(tokenSha256).map(MachineRequest::checkedHash);
    }

    public static String checkedHash(String hash) {
        if (hash == null || !SHA256.matcher(hash).matches()) {
            throw Problem.invalid("tokenSha256: expected the 64 lower-case hex digits of a token's SHA-256, got "
                    + (hash == null ? "nothing" : hash.length() + " characters"));
        }
        return hash;
    }

    public static Optional<Duration> time(String name, Duration time) {
        if (time != null && (time.toSeconds() < 1 || time.compareTo(Bounds.LONGEST_LIFE) > 0)) {
            throw Problem.invalid(name + ": expected 1 s to " + Bounds.LONGEST_LIFE.toDays() + " days, got " + time);
        }
        return Optional.ofNullable(time);
    }
}
