package dev.outpost.nn;

/** x if it is positive, else slope · x. */
public final class LeakyReLU extends FunctionLayer {
    /** Uses a slope of 0.01 for negative elements. */
    public LeakyReLU() {
        this(0.01);
    }

    public LeakyReLU(double slope) {
        super("negative_slope=" + number(slope), input -> input.leakyRelu(slope));
    }
}
