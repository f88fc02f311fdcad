package dev.outpost.nn;

/** The logarithm of {@link Softmax}, computed without overflow. */
public final class LogSoftmax extends FunctionLayer {
    /**
     * @param dim the dimension of the classes; negative dimensions count from the back
     */
    public LogSoftmax(int dim) {
        super("dim=" + dim, input -> input.logSoftmax(dim));
    }
}
