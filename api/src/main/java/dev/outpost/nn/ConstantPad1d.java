package dev.outpost.nn;

/** Pads lines with a number (torch.nn.ConstantPad1d). */
public final class ConstantPad1d extends PaddingLayer {
    private final double value;

    /**
     * Creates a layer that pads with one value.
     *
     * @param value the number
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ConstantPad1d(double value, long... counts) {
        super(1, counts, value);
        this.value = value;
    }

    @Override
    protected String settings() {
        return "padding=" + super.settings() + ", value=" + number(value);
    }
}
