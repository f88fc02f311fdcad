package dev.outpost.nn;

/** 0 if |x| is at most lambda, else x moved toward 0 by lambda (torch.nn.Softshrink). */
public final class Softshrink extends FunctionLayer {
    /** Uses lambda 0.5. */
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
