package dev.outpost.nn;

/** x if it is positive, else alpha · (exp(x) - 1). */
public final class ELU extends FunctionLayer {
    /** Uses an alpha of 1. */
    public ELU() {
        this(1);
    }

    public ELU(double alpha) {
        super("alpha=" + number(alpha), input -> input.elu(alpha));
    }
}
