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

/** The three questions of an orchestrator. */
final class MachineHealth {
    /**
     * Live: the device still answers; where it does not, the machine must be replaced. One that is full answers. Nobody else may
     * have asked it since it was lost.
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

    /** Ready: another session would be taken in. */
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

    /** Started: clients can connect. */
    @Produces
    @Singleton
    @Startup
    static HealthCheck started(ValueRegistry ports) {
        return () -> HealthCheckResponse.named("endpoint")
                .status(ports.containsKey(GrpcServer.GRPC_PORT))
                .build();
    }
}
