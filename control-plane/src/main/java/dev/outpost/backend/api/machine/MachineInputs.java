package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.machine.MachineRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks requests for machines. */
public final class MachineInputs {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private MachineInputs() {}

    /** Refuses invalid requests. A {@link Problem} names the field, the value and the expected values. */
    static Request checked(MachineRequest request, Caller caller, GpuCatalogue catalogue) {
        if (request.life() == null && request.lease() == null) {
            throw Problem.invalid(
                    "life, lease: at least one is wanted, so that a machine that nobody uses ends by itself");
        }
        if (request.gpus() != null && request.gpus() != 1) {
            throw Problem.invalid("gpus: one GPU a machine is supported so far, got " + request.gpus());
        }
        return new Request(
                caller.organisation(),
                caller.projectOr(Optional.ofNullable(request.project())),
                checkedOwner(request.owner() == null ? "key " + caller.keyId() : request.owner()),
                catalogue.find(request.gpu() == null ? "any" : request.gpu()).name(),
                1,
                1,
                time("life", request.life()),
                time("lease", request.lease()),
                time("idle", request.idle()));
    }

    /** Checks the owner of a machine. Callers may not use the owners of replicas, by which bills recognize them. */
    static String checkedOwner(String owner) {
        if (ResourceNames.text("owner", owner).startsWith(Replica.OWNER)) {
            throw Problem.invalid("owner: expected one that does not begin with \"" + Replica.OWNER
                    + "\", which replicas of deployments have, got " + ResourceNames.shown(owner));
        }
        return owner;
    }

    /** The names of secrets, each once. */
    static SortedSet<String> secretNames(List<String> secrets) {
        if (secrets == null) {
            return new TreeSet<>();
        }
        if (secrets.size() > Bounds.MACHINE_SECRETS || secrets.stream().anyMatch(Objects::isNull)) {
            throw Problem.invalid(
                    "secrets: expected up to " + Bounds.MACHINE_SECRETS + " names of secrets of the project");
        }
        return new TreeSet<>(secrets);
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
