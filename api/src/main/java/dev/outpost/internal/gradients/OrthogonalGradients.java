package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Qr;
import dev.outpost.types.OpException;
import java.util.List;

/**
 * The rules of QR, eigenvectors and singular vectors (Walter and Lehmann, "Algorithmic differentiation of linear algebra functions
 * with application in optimum experimental design", 2010; Giles, 2008; where they leave a choice, PyTorch's
 * FunctionsManual.cpp). Where two eigenvalues or singular values are the same, their vectors have no gradient: it is not finite.
 */
public final class OrthogonalGradients {
    private OrthogonalGradients() {}

    /** Of what was computed without what its gradient would need. */
    public static Gradient refused(String op, String advice) {
        return new Gradient(Gradient.Saves.NOTHING, (node, g) -> {
            throw new OpException("backward", op + " has no gradient; " + advice);
        });
    }

    private static Tensor orZeros(Tensor gradient, Tensor output) {
        return gradient == null ? Gradients.zerosLike(output) : gradient;
    }

    // ---- QR

    public static Tensor qr(Qr op, OpNode node, Tensor[] g) {
        Tensor q = Gradient.output(node, 0);
        Tensor r = Gradient.output(node, 1);
        long rows = q.size(-2);
        long columns = r.size(-1);
        if (op.form() == Qr.Form.COMPLETE && rows > columns) {
            throw new OpException(
                    "backward",
                    "qr has no gradient where a complete Q has columns that A does not give; take the reduced one");
        }
        Tensor toQ = orZeros(g[0], q);
        Tensor toR = orZeros(g[1], r);
        return rows >= columns ? tall(q, r, toQ, toR) : wide(q, r, toQ, toR);
    }

    /** {@code (g_q + q s) r⁻ᵀ}, where s is {@code g_r rᵀ - qᵀ g_q} above the diagonal and on it, and symmetric. */
    private static Tensor tall(Tensor q, Tensor r, Tensor toQ, Tensor toR) {
        Tensor product = toR.matmul(r.mT()).sub(q.mT().matmul(toQ));
        Tensor symmetric = product.triu().add(product.triu(1).mT());
        return FactorGradients.overTransposed(toQ.add(q.matmul(symmetric)), r);
    }

    /** The columns behind the square ones are {@code q v}: v is theirs by q, and q takes part in what arrives for v. */
    private static Tensor wide(Tensor q, Tensor r, Tensor toQ, Tensor toR) {
        long side = q.size(-1);
        long behind = r.size(-1) - side;
        Tensor toBehind = toR.narrow(-1, side, behind);
        Tensor given = q.matmul(r.narrow(-1, side, behind));
        Tensor square = tall(
                q,
                r.narrow(-1, 0, side),
                toQ.add(given.matmul(toBehind.mT())),
                toR.narrow(-1, 0, side).triu());
        return Tensors.cat(List.of(square, q.matmul(toBehind)), -1);
    }

    // ---- eigenvectors

    /** {@code v (diag(g_l) + skew(vᵀ g_v) / (l_j - l_i)) vᵀ}, half of what is skew. */
    public static Tensor eigh(OpNode node, Tensor[] g) {
        Tensor values = Gradient.output(node, 0);
        Tensor vectors = Gradient.output(node, 1);
        Tensor inner = orZeros(g[0], values).diagEmbed();
        if (g[1] != null) {
            inner = inner.add(overDistances(skew(vectors.mT().matmul(g[1])).mul(0.5), values));
        }
        return vectors.matmul(inner).matmul(vectors.mT());
    }

    /** Elements divided by what the values of their column and of their row differ by; zeros on the diagonal. */
    private static Tensor overDistances(Tensor matrices, Tensor values) {
        Tensor isDiagonal = values.machine().eye(values.size(-1)).ne(0);
        Tensor distances = values.unsqueeze(-2).sub(values.unsqueeze(-1)).maskedFill(isDiagonal, 1);
        return matrices.maskedFill(isDiagonal, 0).div(distances);
    }

    // ---- singular vectors

    /**
     * {@code u (diag(g_s) + ((uᵀ g_u) s + s (vᵀ g_v)) / (s_j² - s_i²)) vᵀ}, skew parts alone, and what the vectors of the longer
     * side have beside those that are there. Vectors that a full decomposition adds are any, so what arrives for them is left.
     */
    public static Tensor svd(OpNode node, Tensor[] g) {
        Tensor s = Gradient.output(node, 1);
        long min = s.size(-1);
        Tensor u = Gradient.output(node, 0).narrow(-1, 0, min);
        Tensor vh = Gradient.output(node, 2).narrow(-2, 0, min);
        Tensor inner = orZeros(g[1], s).diagEmbed();
        Tensor squares = s.mul(s);
        Tensor gradient = null;
        if (g[0] != null) {
            Tensor toU = g[0].narrow(-1, 0, min);
            Tensor turned = overDistances(skew(u.mT().matmul(toU)), squares);
            inner = inner.add(turned.mul(s.unsqueeze(-2)));
            if (u.size(-2) > min) {
                Tensor over = toU.div(s.unsqueeze(-2));
                gradient = over.sub(u.matmul(u.mT().matmul(over))).matmul(vh);
            }
        }
        if (g[2] != null) {
            Tensor toVh = g[2].narrow(-2, 0, min);
            Tensor turned = overDistances(skew(vh.matmul(toVh.mT())), squares);
            inner = inner.add(turned.mul(s.unsqueeze(-1)));
            if (vh.size(-1) > min) {
                Tensor over = toVh.div(s.unsqueeze(-1));
                Tensor beside = u.matmul(over.sub(over.matmul(vh.mT()).matmul(vh)));
                gradient = gradient == null ? beside : gradient.add(beside);
            }
        }
        Tensor within = u.matmul(inner).matmul(vh);
        return gradient == null ? within : within.add(gradient);
    }

    private static Tensor skew(Tensor matrices) {
        return matrices.sub(matrices.mT());
    }
}
