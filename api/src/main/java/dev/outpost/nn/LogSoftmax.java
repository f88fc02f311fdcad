package dev.outpost.nn;

/** The logarithm of {@link Softmax}, computed without overflow. */
public final class LogSoftmax extends FunctionLayer {
    /** @param dim along which; negative ones count from the back */
    public LogSoftmax(int dim) {
        super("dim=" + dim, input -> input.logSoftmax(dim));
    }
}
