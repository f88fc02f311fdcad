package dev.outpost.nn;

/** x · Φ(x), the Gaussian error linear unit (Hendrycks and Gimpel, 2016; torch.nn.GELU); exact, or by tanh. */
public final class GELU extends FunctionLayer {
    /** Computes Φ exactly. */
    public GELU() {
        this(false);
    }

    /** @param approximate true to approximate Φ by tanh (PyTorch's {@code approximate="tanh"}) */
    public GELU(boolean approximate) {
        super(
                "approximate='" + (approximate ? "tanh" : "none") + "'",
                input -> approximate ? input.geluTanh() : input.gelu());
    }
}
