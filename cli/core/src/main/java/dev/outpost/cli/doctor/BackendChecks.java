package dev.outpost.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Checks the backend that the login or the environment of this user names, and the settings that it lacks. */
public final class BackendChecks {
    private static final String NAME = "backend";
    private static final String READINESS = "/q/health/ready";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private BackendChecks() {}

    public static List<CheckResult> run() {
        return run(BackendAccess::configured);
    }

    /** @param access fails with an {@link IllegalArgumentException} if no backend is configured */
    static List<CheckResult> run(Supplier<BackendAccess> access) {
        BackendAccess backend;
        try {
            backend = access.get();
        } catch (IllegalArgumentException failure) {
            return List.of(CheckResult.skipped(NAME, failure.getMessage()));
        }
        try {
            return results(backend, new BackendClient(backend).within(TIMEOUT).get(READINESS));
        } catch (BackendException | IllegalArgumentException failure) {
            return List.of(CheckResult.failed(
                    NAME,
                    failure.getMessage(),
                    "See whether it runs, and whether " + BackendAccess.ADDRESS_VARIABLE + " leads to it."));
        }
    }

    private static List<CheckResult> results(BackendAccess backend, JsonNode readiness) {
        List<CheckResult> results = new ArrayList<>();
        results.add(CheckResult.ok(NAME, backend.address() + " is ready"));
        for (JsonNode check : readiness.path("checks")) {
            if (check.path("name").asText().equals("settings")) {
                check.path("data")
                        .properties()
                        .forEach(setting -> results.add(
                                missing(setting.getKey(), setting.getValue().asText())));
            }
        }
        return results;
    }

    private static CheckResult missing(String variable, String sentence) {
        return CheckResult.absent(
                "backend setting",
                variable + " " + sentence,
                "Set " + variable + " at the backend; docs/backend-on-kubernetes.md shows how.");
    }
}
