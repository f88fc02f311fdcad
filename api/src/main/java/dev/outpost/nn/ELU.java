package dev.outpost.nn;

/** x where positive, alpha · (exp(x) - 1) elsewhere. */
public final class ELU extends FunctionLayer {
    public ELU() {
        this(1);
    }

    public ELU(double alpha) {
        super("alpha=" + number(alpha), input -> input.elu(alpha));
    }
}
