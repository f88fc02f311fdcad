package dev.outpost;

/** x · Φ(x); its derivative is Φ(x) + x · φ(x), of the standard normal distribution. */
final class Gelu extends SlopedFunction {
    @Override
    Tensor value(Tensor x) {
        return x.mul(0.5).mul(twiceProbability(x));
    }

    @Override
    Tensor slope(Tensor x) {
        Tensor scaled = x.mul(Math.sqrt(0.5));
        Tensor density = scaled.mul(scaled).neg().exp().mul(1 / Math.sqrt(2 * Math.PI));
        return twiceProbability(x).mul(0.5).add(x.mul(density));
    }

    private static Tensor twiceProbability(Tensor x) {
        return x.mul(Math.sqrt(0.5)).erf().add(1);
    }
}
