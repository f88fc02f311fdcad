package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.RuntimeSettings;
import io.quarkus.grpc.runtime.GrpcServer;
import io.quarkus.value.registry.ValueRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** The three health checks of an orchestrator. */
final class MachineHealth {
    /**
     * Returns the liveness check, which passes if the device answers. If it fails, the orchestrator must replace the machine. A device with
     * full memory still answers. The check itself asks the device, because no session may have used it since it was lost.
     */
    @Produces
    @Singleton
    @Liveness
    static HealthCheck live(Engine engine) {
        return () -> {
            Optional<String> reason = engine.brokenBy();
            if (reason.isPresent()) {
                return HealthCheckResponse.named("engine")
                        .withData("failure", reason.get())
                        .down()
                        .build();
            }
            engine.available(Long.MAX_VALUE);
            return HealthCheckResponse.named("engine")
                    .withData("device", engine.device())
                    .up()
                    .build();
        };
    }

    /** Returns the readiness check, which passes if the machine accepts another session. */
    @Produces
    @Singleton
    @Readiness
    static HealthCheck ready(RuntimeHost host, RuntimeSettings settings) {
        return () -> HealthCheckResponse.named("sessions")
                .withData("sessions", host.sessionCount())
                .withData("draining", host.isDraining())
                .status(!host.isDraining()
                        && host.sessionCount() < settings.limits().sessions())
                .build();
    }

    /** Returns the startup check, which passes if clients can connect. */
    @Produces
    @Singleton
    @Startup
    static HealthCheck started(ValueRegistry ports) {
        return () -> HealthCheckResponse.named("endpoint")
                .status(ports.containsKey(GrpcServer.GRPC_PORT))
                .build();
    }
}
