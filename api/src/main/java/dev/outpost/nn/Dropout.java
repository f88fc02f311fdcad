package dev.outpost.nn;

/** While training: zeroes elements with probability p and scales the others by 1 / (1 - p). */
public final class Dropout extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public Dropout() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public Dropout(double p) {
        super(p, Functional::dropout);
    }
}
