package dev.outpost.backend;

import dev.outpost.backend.fleet.loop.Fleet;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Reports the backend as ready while all its loops run. They start after the bootstrap. */
@Readiness
public final class LoopsCheck implements HealthCheck {
    private final Fleet fleet;

    LoopsCheck(Fleet fleet) {
        this.fleet = fleet;
    }

    @Override
    public HealthCheckResponse call() {
        Map<String, String> silent = fleet.silentLoops();
        HealthCheckResponseBuilder answer =
                HealthCheckResponse.named("loops").status(fleet.isStarted() && silent.isEmpty());
        silent.forEach(answer::withData);
        return answer.build();
    }
}
