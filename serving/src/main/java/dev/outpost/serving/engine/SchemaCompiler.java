package dev.outpost.serving.engine;

import dev.outpost.models.constraint.TokenConstraint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles schemas for one model, and caches the constraints. Requests for equal schemas at the same time share one compilation. Limits the
 * compilations of each caller at a time, so that the schemas of one caller do not block the processors for others. Thread-safe.
 */
public final class SchemaCompiler {
    /** The maximum number of compilations of a caller at a time. */
    public static final int MAX_OF_A_CALLER = 2;

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Compiles the constraint of a schema. */
    public interface Compilation {
        /** @param isCancelled polled during the compilation, which fails once it returns true */
        TokenConstraint compile(String schema, BooleanSupplier isCancelled);
    }

    private final Compilation compilation;
    private final ConstraintCache cache;
    /** The running compilations by schema. Guarded by this. */
    private final Map<String, Running> running = new HashMap<>();

    /** The number of running compilations of each caller. Guarded by this. */
    private final Map<String, Integer> counts = new HashMap<>();

    /** A compilation that one request computes and others may wait for. */
    private static final class Running {
        /** A test for each request that is true once its client has disconnected. Guarded by the compiler. */
        private final List<BooleanSupplier> cancellations = new ArrayList<>();

        private final CompletableFuture<TokenConstraint> result = new CompletableFuture<>();
    }

    SchemaCompiler(Compilation compilation, ConstraintCache cache) {
        this.compilation = compilation;
        this.cache = cache;
    }

    /**
     * Returns the constraint of a schema. If another request compiles the same schema, waits for its result.
     *
     * @param caller the caller of the request
     * @param isCancelled returns true once the client has disconnected
     * @throws TooManySchemasException if the limit of compilations for this caller is reached
     */
    public TokenConstraint constraint(String schema, String caller, BooleanSupplier isCancelled) {
        Running own = new Running();
        Running shared;
        synchronized (this) {
            TokenConstraint known = cache.find(schema);
            if (known != null) {
                return known;
            }
            shared = running.get(schema);
            if (shared == null) {
                enter(schema, caller, own);
            }
            (shared == null ? own : shared).cancellations.add(isCancelled);
        }
        return shared == null ? compile(schema, caller, own) : await(shared);
    }

    /** Registers a compilation. The calling thread holds the lock. */
    private void enter(String schema, String caller, Running own) {
        int count = counts.getOrDefault(caller, 0);
        if (count >= MAX_OF_A_CALLER) {
            throw new TooManySchemasException(MAX_OF_A_CALLER, RETRY);
        }
        counts.put(caller, count + 1);
        running.put(schema, own);
    }

    private TokenConstraint compile(String schema, String caller, Running own) {
        TokenConstraint compiled = null;
        try {
            compiled = compilation.compile(schema, () -> isAbandoned(schema, own));
            return compiled;
        } catch (RuntimeException | Error failure) {
            own.result.completeExceptionally(failure);
            throw failure;
        } finally {
            leave(schema, caller, own, compiled);
        }
    }

    /**
     * Returns true once all clients have disconnected. A later request with the same schema then starts a new
     * compilation.
     */
    private synchronized boolean isAbandoned(String schema, Running own) {
        boolean isAbandoned = own.cancellations.stream().allMatch(BooleanSupplier::getAsBoolean);
        if (isAbandoned) {
            running.remove(schema, own);
        }
        return isAbandoned;
    }

    private void leave(String schema, String caller, Running own, @Nullable TokenConstraint compiled) {
        synchronized (this) {
            if (compiled != null) {
                cache.add(schema, 2L * schema.length(), compiled);
            }
            running.remove(schema, own);
            counts.computeIfPresent(caller, (same, count) -> count == 1 ? null : Integer.valueOf(count - 1));
        }
        if (compiled != null) {
            own.result.complete(compiled);
        }
    }

    private static TokenConstraint await(Running shared) {
        try {
            return shared.result.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failure;
        }
    }
}
