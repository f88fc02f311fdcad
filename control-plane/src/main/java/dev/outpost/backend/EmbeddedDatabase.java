package dev.outpost.backend;

import dev.outpost.backend.postgres.PostgresSupervisor;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Reports the backend as not ready, with the reason, while its embedded database does not run. Does nothing with another database. */
@Readiness
public final class EmbeddedDatabase implements HealthCheck {
    private static volatile PostgresSupervisor supervisor;

    /** Sets the database that was started before the beans existed. */
    static void set(PostgresSupervisor started) {
        supervisor = started;
    }

    /** True if this backend has started its own database. */
    static boolean isUsed() {
        return supervisor != null;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("embedded database");
        PostgresSupervisor known = supervisor;
        if (known == null) {
            return answer.up().build();
        }
        Optional<String> trouble = known.trouble();
        trouble.ifPresent(text -> answer.withData("trouble", text));
        return answer.withData("restarts", known.restarts())
                .status(trouble.isEmpty())
                .build();
    }
}
