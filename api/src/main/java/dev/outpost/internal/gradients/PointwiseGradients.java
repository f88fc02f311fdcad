package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradients.masked;
import static dev.outpost.internal.gradients.Gradients.maskedOut;
import static dev.outpost.internal.gradients.Gradients.over;
import static dev.outpost.internal.gradients.Gradients.square;
import static dev.outpost.internal.gradients.Gradients.times;
import static dev.outpost.internal.gradients.Gradients.zerosLike;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.Shape;

/** The rules of elementwise ops that are too long for {@link Gradients}. */
public final class PointwiseGradients {
    private PointwiseGradients() {}

    public static Tensor divisor(OpNode node, Tensor g) {
        Tensor divisor = (Tensor) node.input(1);
        Tensor quotient = Dispatch.binary(Binary.DIV, node.input(0), divisor);
        return g.neg().mul(quotient.div(divisor));
    }

    public static Tensor remainderDivisor(OpNode node, Tensor g) {
        return times(g.neg(), Dispatch.binary(Binary.FLOOR_DIV, node.input(0), node.input(1)));
    }

    public static Tensor fmodDivisor(OpNode node, Tensor g) {
        return times(g.neg(), Dispatch.binary(Binary.TRUNC_DIV, node.input(0), node.input(1)));
    }

    /** Returns {@code b * a^(b - 1)}, and 0 where b is 0. */
    public static Tensor powerBase(OpNode node, Tensor g) {
        Tensor base = (Tensor) node.input(0);
        return switch (node.input(1)) {
            case Operand.Immediate exponent -> powerBase(base, exponent.scalar().asDouble(), g);
            case Operand operand -> {
                Tensor exponent = (Tensor) operand;
                Tensor power = Dispatch.binary(Binary.POW, base, exponent.sub(1));
                yield maskedOut(exponent.eq(0), g.mul(exponent.mul(power)));
            }
        };
    }

    private static Tensor powerBase(Tensor base, double exponent, Tensor g) {
        if (exponent == 0) {
            return zerosLike(g);
        }
        Tensor power = exponent == 2 ? base : base.pow(exponent - 1);
        return g.mul(power.mul(exponent));
    }

    /** Returns {@code a^b * log(a)}, and 0 where a is 0 and b is at least 0. */
    public static Tensor powerExponent(OpNode node, Tensor g) {
        Tensor base = tensor(node, 0, g);
        Tensor exponent = (Tensor) node.input(1);
        Tensor power = Dispatch.binary(Binary.POW, base, exponent);
        Tensor vanishes = Dispatch.binary(Binary.AND, base.eq(0), exponent.ge(0));
        return g.mul(maskedOut(vanishes, power.mul(base.log())));
    }

    public static Tensor atan2Left(OpNode node, Tensor g) {
        return times(g, node.input(1)).div(squaredNorm(node, g));
    }

    public static Tensor atan2Right(OpNode node, Tensor g) {
        return times(g.neg(), node.input(0)).div(squaredNorm(node, g));
    }

    /** Returns x² + y², or 1 where both are 0, so that the gradient of an undefined angle is 0. */
    private static Tensor squaredNorm(OpNode node, Tensor g) {
        Tensor norm = square(tensor(node, 0, g)).add(square(tensor(node, 1, g)));
        return FoldGradients.onesAt(norm.eq(0), norm);
    }

    public static Gradient.UnaryRule hypot(int input) {
        return (node, g) -> over(times(g, node.input(input)), Gradient.output(node, 0));
    }

    /**
     * Returns the gradient of an input that was chosen; half of it if both inputs are equal. If either input is NaN,
     * both get the whole gradient.
     */
    public static Gradient.UnaryRule chosen(int input, Binary wins) {
        return (node, g) -> {
            Operand mine = node.input(input);
            Operand others = node.input(1 - input);
            Tensor shared = Dispatch.where(Dispatch.binary(Binary.EQ, mine, others), g.mul(0.5), g);
            return maskedOut(Dispatch.binary(wins, others, mine), shared);
        };
    }

    public static Tensor copysign(OpNode node, Tensor g) {
        Tensor x = (Tensor) node.input(0);
        Tensor ratio = Dispatch.binary(Binary.COPYSIGN, x, node.input(1)).div(x);
        return g.mul(maskedOut(x.eq(0), ratio));
    }

    public static Tensor[] where(OpNode node, Tensor gradient) {
        Tensor condition = tensor(node, 0, gradient);
        return new Tensor[] {
            null,
            Gradient.unbroadcast(node, 1, (same, g) -> masked(condition, g), gradient),
            Gradient.unbroadcast(node, 2, (same, g) -> maskedOut(condition, g), gradient)
        };
    }

    private static Tensor tensor(OpNode node, int input, Tensor like) {
        return switch (node.input(input)) {
            case Operand.Immediate immediate -> Creation.full(States.home(like), Shape.SCALAR, immediate.scalar());
            case Operand tensor -> (Tensor) tensor;
        };
    }

    /** The gradient is the polygamma function of the next order. The order itself has no gradient. */
    public static Tensor polygamma(OpNode node, Tensor gradient) {
        Operand next = switch (node.input(0)) {
            case Operand.Immediate order ->
                Operand.of(order.scalar().dtype(), order.scalar().asDouble() + 1);
            case Operand order -> ((Tensor) order).add(1);
        };
        return gradient.mul(Dispatch.apply(Binary.POLYGAMMA, next, node.input(1)));
    }
}
