package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · Φ(x), the Gaussian error linear unit (Hendrycks and Gimpel, 2016; torch.nn.GELU); exact, or by tanh. */
public final class GELU extends Module {
    private final boolean approximate;

    /** Exact. */
    public GELU() {
        this(false);
    }

    /** @param approximate whether Φ is approximated by tanh (PyTorch's {@code approximate="tanh"}) */
    public GELU(boolean approximate) {
        this.approximate = approximate;
    }

    @Override
    public Tensor forward(Tensor input) {
        return approximate ? input.geluTanh() : input.gelu();
    }

    @Override
    protected String settings() {
        return "approximate='" + (approximate ? "tanh" : "none") + "'";
    }
}
