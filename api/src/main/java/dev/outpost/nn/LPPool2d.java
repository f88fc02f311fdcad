package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** (Σ x^p)^(1/p) of each window of an image (torch.nn.LPPool2d). The gradient of a window of zeros is 0 / 0, as in PyTorch. */
public final class LPPool2d extends Module {
    private final double p;
    private final long window;
    private final long stride;
    private final boolean ceil;

    /** Windows side by side. */
    public LPPool2d(double p, long window) {
        this(p, window, window, false);
    }

    /** @param ceil whether a last window counts that reaches over the end */
    public LPPool2d(double p, long window, long stride, boolean ceil) {
        this.p = p;
        this.window = window;
        this.stride = stride;
        this.ceil = ceil;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Scope.tidy(() -> {
            Tensor powers = input.pow(p);
            Tensor sums = Functional.avgPool2d(
                    powers, new long[] {window}, new long[] {stride}, new long[] {0}, ceil, true, 1L);
            return sums.sign().mul(sums.abs().relu()).pow(1 / p);
        });
    }

    @Override
    protected String settings() {
        return "norm_type=" + number(p) + ", kernel_size=" + window + ", stride=" + stride + ", ceil_mode="
                + flag(ceil);
    }
}
