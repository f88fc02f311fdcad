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
 * Runs the callbacks of a call directly on its event loop, in a separate context. Vert.x and Quarkus would queue each callback behind
 * earlier callbacks, and the data would leave the processor's cache until the callback runs.
 */
final class CallsOnTheLoop implements ServerCallExecutorSupplier {
    /**
     * Returns an executor for the current event loop. Returns null, which selects the server's default executor, if
     * the caller is not an event loop.
     */
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
