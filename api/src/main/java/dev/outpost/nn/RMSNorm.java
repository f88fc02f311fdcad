package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;
import java.util.stream.IntStream;

/** Normalizes to root mean square 1 over the last dimensions, then scales (Zhang and Sennrich, 2019). */
public final class RMSNorm extends Module {
    /** The distance from 1 to the next float32. */
    private static final double DEFAULT_EPS = 0x1p-23;

    private final Shape normalizedShape;
    private final double eps;
    private final Parameter weight;

    /** @param normalizedShape the last dimensions of the input */
    public RMSNorm(long... normalizedShape) {
        this(Shape.of(normalizedShape), DEFAULT_EPS);
    }

    public RMSNorm(Shape normalizedShape, double eps) {
        this.normalizedShape = normalizedShape;
        this.eps = eps;
        weight = parameter("weight", Init.ones(), normalizedShape.toArray());
    }

    @Override
    public Tensor forward(Tensor input) {
        int[] last =
                IntStream.rangeClosed(1, normalizedShape.rank()).map(i -> -i).toArray();
        Tensor meanSquare = input.mul(input).mean(last, true);
        return input.mul(meanSquare.add(eps).rsqrt()).mul(weight.tensor());
    }

    @Override
    protected String settings() {
        return ModulePrinter.tuple(normalizedShape) + ", eps=" + number(eps) + ", elementwise_affine=True";
    }
}
