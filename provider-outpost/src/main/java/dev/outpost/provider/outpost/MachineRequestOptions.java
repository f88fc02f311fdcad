package dev.outpost.provider.outpost;

import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.NearestName;
import dev.outpost.provider.support.Durations;
import dev.outpost.provider.support.Owner;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.machine.PlanRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client's request for a machine.
 *
 * @param project the project that pays; by default the project of the key
 * @param lease the time for which the machine outlives this client
 * @param idle the time for which it lives without an instruction
 * @param secrets the names of the project's secrets that its sources use
 */
record MachineRequestOptions(
        String gpu, Optional<String> project, Duration lease, Optional<Duration> idle, List<String> secrets) {
    private static final List<String> OPTIONS = List.of("project", "lease", "idle", "secrets");
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** @throws IllegalArgumentException if an option is unknown or malformed; the message names the option and the value */
    static MachineRequestOptions of(MachineSpec spec) {
        return of(spec.gpu().name(), spec.options());
    }

    /** @throws IllegalArgumentException if an option is unknown or malformed; the message names the option and the value */
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
                time(options, "idle"),
                names(options.getOrDefault("secrets", "")));
    }

    private static List<String> names(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
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

    /** Returns the request for a machine that ends with its client. */
    MachineRequest ofClient(MachineToken token) {
        return request(null, lease, token.sha256());
    }

    /** Returns the request for a machine that needs no client and lives for that time. */
    MachineRequest ofTime(Duration life) {
        return request(life, null, null);
    }

    private MachineRequest request(@Nullable Duration life, @Nullable Duration leased, @Nullable String tokenSha256) {
        return new MachineRequest(
                project.orElse(null),
                gpu,
                null,
                life,
                leased,
                idle.orElse(null),
                Owner.ofThisProcess(),
                tokenSha256,
                secrets.isEmpty() ? null : secrets);
    }

    /** Returns the request for a plan. It contains no lease if the lease is the backend's default. */
    PlanRequest plan(@Nullable Duration life) {
        return new PlanRequest(
                project.orElse(null),
                gpu,
                null,
                life,
                life == null && !lease.equals(LEASE) ? lease : null,
                idle.orElse(null));
    }
}
