package dev.outpost.serving;

import dev.outpost.serving.engine.ModelDirectory;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports the server as ready when all models are loaded and warm. */
@Readiness
public final class ModelsReady implements HealthCheck {
    private final ModelDirectory models;

    ModelsReady(ModelDirectory models) {
        this.models = models;
    }

    @Override
    public HealthCheckResponse call() {
        return models.isReady()
                ? HealthCheckResponse.up("models")
                : HealthCheckResponse.named("models")
                        .down()
                        .withData("reason", models.whyNotReady())
                        .build();
    }
}
