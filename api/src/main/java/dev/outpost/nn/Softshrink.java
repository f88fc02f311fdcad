package dev.outpost.nn;

/** 0 where |x| is at most lambda, elsewhere x moved toward 0 by lambda (torch.nn.Softshrink). */
public final class Softshrink extends FunctionLayer {
    /** With lambda 0.5. */
    public Softshrink() {
        this(0.5);
    }

    /**
     * @param lambda not negative
     */
    public Softshrink(double lambda) {
        super(number(lambda), input -> input.softshrink(lambda));
    }
}
