package dev.outpost.nn;

/** Pads volumes with a number (torch.nn.ConstantPad3d). */
public final class ConstantPad3d extends PaddingLayer {
    private final double value;

    /**
     * Creates a layer that pads with one value.
     *
     * @param value the number
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ConstantPad3d(double value, long... counts) {
        super(3, counts, value);
        this.value = value;
    }

    @Override
    protected String settings() {
        return "padding=" + super.settings() + ", value=" + number(value);
    }
}
