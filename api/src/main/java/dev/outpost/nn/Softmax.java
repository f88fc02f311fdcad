package dev.outpost.nn;

/** Converts numbers to positive ones that sum to 1 along a dimension. */
public final class Softmax extends FunctionLayer {
    /**
     * @param dim the dimension of the classes; negative dimensions count from the back
     */
    public Softmax(int dim) {
        super("dim=" + dim, input -> input.softmax(dim));
    }
}
