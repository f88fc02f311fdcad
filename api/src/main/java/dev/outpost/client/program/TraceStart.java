package dev.outpost.client.program;

import java.util.function.Supplier;

/**
 * The state in which a trace begins.
 *
 * @param latestNode the number of the latest node of autograd's graph
 * @param surroundings runs a body without the context of the function, such as its scopes
 */
public record TraceStart(long latestNode, TraceContext surroundings) {
    /** Runs a body without the context of the traced function. */
    @FunctionalInterface
    public interface TraceContext {
        <T> T without(Supplier<T> body);
    }
}
