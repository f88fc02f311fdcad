package dev.outpost.client.program;

import java.util.function.Supplier;

/**
 * The state in which a trace begins.
 *
 * @param latestNode the number of the latest node of autograd's graph
 * @param surroundings does something apart from what surrounds the function
 */
public record TraceStart(long latestNode, TraceContext surroundings) {
    /** How something is done apart. */
    @FunctionalInterface
    public interface TraceContext {
        <T> T without(Supplier<T> body);
    }
}
