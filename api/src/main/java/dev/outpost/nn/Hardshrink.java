package dev.outpost.nn;

/** 0 if |x| is at most lambda, else x (torch.nn.Hardshrink). */
public final class Hardshrink extends FunctionLayer {
    /** Uses lambda 0.5. */
    public Hardshrink() {
        this(0.5);
    }

    /**
     * @param lambda not negative
     */
    public Hardshrink(double lambda) {
        super(number(lambda), input -> input.hardshrink(lambda));
    }
}
