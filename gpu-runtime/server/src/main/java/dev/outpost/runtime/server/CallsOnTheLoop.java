package dev.outpost.runtime.server;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;

/**
 * Runs what a call hears where it is heard: on its event loop, in a context of its own. Vert.x and Quarkus would each queue
 * it behind all that has arrived, and until its turn comes megabytes leave the processor's cache.
 */
final class CallsOnTheLoop implements ServerCallExecutorSupplier {
    /** Null, for the server's own executor, where no event loop calls. */
    @Override
    public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
        Context loop = Vertx.currentContext();
        return loop == null ? null : in((ContextInternal) VertxContext.createNewDuplicatedContext(loop));
    }

    private static Executor in(ContextInternal context) {
        return task -> {
            if (context.nettyEventLoop().inEventLoop()) {
                context.dispatch(task);
            } else {
                context.runOnContext(_ -> task.run());
            }
        };
    }
}
