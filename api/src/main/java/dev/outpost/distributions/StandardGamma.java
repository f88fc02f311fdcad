package dev.outpost.distributions;

import dev.outpost.Tensor;

/**
 * Draws gamma numbers of rate 1 by rejection (Marsaglia and Tsang, 2000). All rounds are recorded at once, so that nothing waits. A round
 * accepts at least 95 % of the numbers. If none of twelve rounds accepts a number (fewer than one in 10¹⁵), the last proposal is used.
 */
final class StandardGamma {
    private static final int ROUNDS = 12;

    private StandardGamma() {}

    static Tensor sample(Distribution distribution, Tensor concentration, long... shape) {
        Tensor shapes = concentration.expand(shape);
        Tensor isSmall = shapes.lt(1);
        // For a shape a below 1: a gamma number of shape a + 1, times u^(1 / a), is a gamma number of shape a.
        Tensor raised = shapes.add(isSmall.to(shapes.dtype()));
        Tensor d = raised.sub(1.0 / 3);
        Tensor c = d.mul(9).rsqrt();
        Tensor result = null;
        for (int round = 0; round < ROUNDS; round++) {
            Tensor x = distribution.like().newZeros(shape).normal_();
            Tensor cube = x.mul(c).add(1).pow(3);
            Tensor accepted = cube.gt(0)
                    .logicalAnd(distribution
                            .openUniform(shape)
                            .log()
                            .lt(x.square()
                                    .mul(0.5)
                                    .add(d.mul(
                                            cube.clampMin(1e-30).log().sub(cube).add(1)))));
            Tensor proposed = d.mul(cube.clampMin(1e-30));
            // The rounds are applied from the last one to the first, so that the first accepted proposal is used.
            result = result == null ? proposed : proposed.where(accepted, result);
        }
        Tensor shrunk = result.mul(distribution.openUniform(shape).pow(shapes.reciprocal()));
        return shrunk.where(isSmall, result);
    }
}
