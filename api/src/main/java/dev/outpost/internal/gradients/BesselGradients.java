package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.OpException;

/** The rules of Bessel functions (DLMF 10.6 and 10.29) and of related functions of two arguments. */
public final class BesselGradients {
    private BesselGradients() {}

    private static Tensor x(OpNode node) {
        return (Tensor) node.input(0);
    }

    public static Tensor i0e(OpNode node, Tensor g) {
        return g.mul(x(node).i1e().sub(Gradient.output(node, 0).mul(x(node).sign())));
    }

    public static Tensor i1(OpNode node, Tensor g) {
        return g.mul(x(node).i0().sub(overArgument(node, 0.5)));
    }

    public static Tensor i1e(OpNode node, Tensor g) {
        Tensor falling = Gradient.output(node, 0).mul(x(node).sign());
        return g.mul(x(node).i0e().sub(falling).sub(overArgument(node, 0.5)));
    }

    public static Tensor j1(OpNode node, Tensor g) {
        return g.mul(x(node).besselJ0().sub(overArgument(node, 0.5)));
    }

    public static Tensor y1(OpNode node, Tensor g) {
        return g.mul(x(node).besselY0().sub(Gradient.output(node, 0).div(x(node))));
    }

    public static Tensor k1(OpNode node, Tensor g) {
        return g.mul(x(node).modifiedBesselK0()
                .add(Gradient.output(node, 0).div(x(node)))
                .neg());
    }

    public static Tensor scaledK1(OpNode node, Tensor g) {
        Tensor k1 = Gradient.output(node, 0);
        return g.mul(k1.sub(x(node).scaledModifiedBesselK0()).sub(k1.div(x(node))));
    }

    /** Returns the function divided by its argument, and the limit where the argument is 0. */
    private static Tensor overArgument(OpNode node, double limit) {
        Tensor x = x(node);
        Tensor isZero = x.eq(0);
        return Gradient.output(node, 0).div(x.maskedFill(isZero, 1)).maskedFill(isZero, limit);
    }

    public static Tensor zeta(OpNode node, Tensor g) {
        Operand next = switch (node.input(0)) {
            case Operand.Immediate s ->
                Operand.of(s.scalar().dtype(), s.scalar().asDouble() + 1);
            case Operand s -> ((Tensor) s).add(1);
        };
        Tensor slope = Dispatch.apply(Binary.ZETA, next, node.input(1));
        return switch (node.input(0)) {
            case Operand.Immediate s -> g.mul(slope).mul(-s.scalar().asDouble());
            case Operand s -> g.mul(slope).mul((Tensor) s).neg();
        };
    }

    /** The derivative is the integrand at the upper limit. */
    public static Tensor igamma(OpNode node, Tensor g) {
        Tensor a = (Tensor) node.input(0);
        Tensor x = (Tensor) node.input(1);
        return g.mul(a.sub(1).xlogy(x).sub(x).sub(a.lgamma()).exp());
    }

    /** Refuses the derivative with respect to the first operand, which PyTorch does not have either. */
    public static Gradient.UnaryRule refused(String op) {
        return (node, g) -> {
            throw new OpException(op, "the derivative towards the first operand is not implemented");
        };
    }
}
