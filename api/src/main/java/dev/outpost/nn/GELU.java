package dev.outpost.nn;

/** x · Φ(x), the Gaussian error linear unit (Hendrycks and Gimpel, 2016; torch.nn.GELU); exact, or by tanh. */
public final class GELU extends FunctionLayer {
    /** Exact. */
    public GELU() {
        this(false);
    }

    /** @param approximate whether Φ is approximated by tanh (PyTorch's {@code approximate="tanh"}) */
    public GELU(boolean approximate) {
        super(
                "approximate='" + (approximate ? "tanh" : "none") + "'",
                input -> approximate ? input.geluTanh() : input.gelu());
    }
}
