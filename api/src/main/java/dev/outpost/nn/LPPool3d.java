package dev.outpost.nn;

/** (Σ x^p)^(1/p) of each window of a volume (torch.nn.LPPool3d). The gradient of a window of zeros is 0 / 0, as in PyTorch. */
public final class LPPool3d extends LPPoolLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public LPPool3d(double p, long window) {
        this(p, window, window, false);
    }

    /**
     * @param ceil true to count a last window that reaches beyond the end
     */
    public LPPool3d(double p, long window, long stride, boolean ceil) {
        super(
                p,
                window,
                stride,
                ceil,
                powers -> Functional.avgPool3d(
                        powers, new long[] {window}, new long[] {stride}, new long[] {0}, ceil, true, 1L));
    }
}
