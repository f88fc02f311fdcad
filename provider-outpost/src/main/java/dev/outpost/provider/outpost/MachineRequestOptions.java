package dev.outpost.provider.outpost;

import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.NearestName;
import dev.outpost.provider.support.Durations;
import dev.outpost.provider.support.Owner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wishes of a client for a machine, by its options.
 *
 * @param project which project pays; the key's where it is not said
 * @param lease how long the machine outlives this client
 * @param idle how long it lives without an instruction
 */
record MachineRequestOptions(String gpu, Optional<String> project, Duration lease, Optional<Duration> idle) {
    private static final List<String> OPTIONS = List.of("project", "lease", "idle");
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** @throws IllegalArgumentException on an option that is unknown or malformed; the message names it and the value */
    static MachineRequestOptions of(MachineSpec spec) {
        return of(spec.gpu().name(), spec.options());
    }

    /** @throws IllegalArgumentException on an option that is unknown or malformed; the message names it and the value */
    static MachineRequestOptions of(String gpu, Map<String, String> options) {
        options.keySet().stream()
                .filter(name -> !OPTIONS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(NearestName.sentence("option", name, OPTIONS));
                });
        return new MachineRequestOptions(
                gpu,
                Optional.ofNullable(options.get("project")),
                time(options, "lease").orElse(LEASE),
                time(options, "idle"));
    }

    private static Optional<Duration> time(Map<String, String> options, String name) {
        return Optional.ofNullable(options.get(name)).map(text -> time(name, text));
    }

    private static Duration time(String name, String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(name + ": " + failure.getMessage() + ", got \"" + text + "\"");
        }
    }

    /** As the API wants it: a machine of a client, which ends with it. */
    Map<String, Object> body(MachineToken token) {
        Map<String, Object> body = common();
        body.put("lease", lease.toString());
        body.put("tokenSha256", token.sha256());
        return body;
    }

    /** The body of {@code /v1/machines:plan}. It has no lease if the lease is the backend's default. */
    Map<String, Object> plan(Optional<Duration> life) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("gpu", gpu);
        project.ifPresent(name -> body.put("project", name));
        life.ifPresent(time -> body.put("life", time.toString()));
        if (life.isEmpty() && !lease.equals(LEASE)) {
            body.put("lease", lease.toString());
        }
        idle.ifPresent(time -> body.put("idle", time.toString()));
        return body;
    }

    /** A machine that needs no client, for a stated time. */
    Map<String, Object> body(Duration life) {
        Map<String, Object> body = common();
        body.put("life", life.toString());
        return body;
    }

    private Map<String, Object> common() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("gpu", gpu);
        body.put("owner", Owner.ofThisProcess());
        project.ifPresent(name -> body.put("project", name));
        idle.ifPresent(time -> body.put("idle", time.toString()));
        return body;
    }
}
