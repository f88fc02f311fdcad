package dev.outpost.serving.gateway;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The current request: its owner and its replica, which does not end before the request has begun there. */
@RequestScoped
public class GatewayRequest {
    private final CurrentVertxRequest current;
    private @Nullable String project;
    private AttachedReplica replica;

    GatewayRequest(CurrentVertxRequest current) {
        this.current = current;
    }

    /** @param project the project of the caller's key; null for a key of all projects */
    public void callBy(@Nullable String project) {
        this.project = project;
    }

    boolean sees(String deploymentProject) {
        return project == null || project.equals(deploymentProject);
    }

    /**
     * Returns a test that is true if the request's client has disconnected. Any thread may call it.
     *
     * @param whenGone called when the client disconnects, and when the request is over
     */
    BooleanSupplier watch(Runnable whenGone) {
        RoutingContext routing = current.getCurrent();
        if (routing == null) {
            return () -> false;
        }
        routing.addEndHandler(ended -> whenGone.run());
        return () -> routing.response().closed();
    }

    void hold(AttachedReplica chosen) {
        replica = chosen;
    }

    @PreDestroy
    void release() {
        if (replica != null) {
            replica.release();
            replica = null;
        }
    }
}
