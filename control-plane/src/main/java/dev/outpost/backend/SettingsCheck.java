package dev.outpost.backend;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Shows missing settings beside the readiness of a backend, which serves without them. */
@Readiness
public final class SettingsCheck implements HealthCheck {
    private final MissingSettings missing;

    SettingsCheck(MissingSettings missing) {
        this.missing = missing;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer =
                HealthCheckResponse.named("settings").up();
        missing.sentences().forEach(answer::withData);
        return answer.build();
    }
}
