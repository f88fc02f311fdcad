package dev.outpost.nn;

/** Returns its input. */
public final class Identity extends FunctionLayer {
    public Identity() {
        super(input -> input);
    }
}
