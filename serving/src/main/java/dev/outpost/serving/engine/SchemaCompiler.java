package dev.outpost.serving.engine;

import dev.outpost.models.constraint.TokenConstraint;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles schemas for one model, and caches the most recently used constraints. Limits the compilations of each caller at a time, so that
 * the schemas of one caller do not block the processors for others. Thread-safe.
 */
public final class SchemaCompiler {
    /** The most compilations of a caller at a time. */
    public static final int MAX_OF_A_CALLER = 2;

    private static final int MAX_KEPT = 64;
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Compiles the constraint of a schema. */
    public interface Compilation {
        /** @param isCancelled polled during the compilation, which fails once it returns true */
        TokenConstraint compile(String schema, BooleanSupplier isCancelled);
    }

    private final Compilation compilation;
    /** Guarded by this. */
    private final Map<String, TokenConstraint> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenConstraint> eldest) {
            return size() > MAX_KEPT;
        }
    };

    /** The number of running compilations of each caller. Guarded by this. */
    private final Map<String, Integer> underWay = new HashMap<>();

    public SchemaCompiler(Compilation compilation) {
        this.compilation = compilation;
    }

    /**
     * Returns the constraint of a schema.
     *
     * @param caller the caller of the request
     * @param isCancelled returns true once the client has disconnected
     * @throws TooManySchemasException if the limit of compilations for this caller is reached
     */
    public TokenConstraint constraint(String schema, String caller, BooleanSupplier isCancelled) {
        TokenConstraint known = enter(schema, caller);
        if (known != null) {
            return known;
        }
        try {
            TokenConstraint compiled = compilation.compile(schema, isCancelled);
            keep(schema, compiled);
            return compiled;
        } finally {
            leave(caller);
        }
    }

    private synchronized @Nullable TokenConstraint enter(String schema, String caller) {
        TokenConstraint known = kept.get(schema);
        if (known == null) {
            int count = underWay.getOrDefault(caller, 0);
            if (count >= MAX_OF_A_CALLER) {
                throw new TooManySchemasException(MAX_OF_A_CALLER, RETRY);
            }
            underWay.put(caller, count + 1);
        }
        return known;
    }

    private synchronized void keep(String schema, TokenConstraint compiled) {
        kept.put(schema, compiled);
    }

    private synchronized void leave(String caller) {
        underWay.computeIfPresent(caller, (same, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }
}
