package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** The rules of attention. Its first gradient is a primitive as well. Higher gradients store all attention weights. */
public final class AttentionGradients {
    /** The number of operands of the gradient before its mask. */
    private static final int OPERANDS = 6;

    private AttentionGradients() {}

    public static Tensor[] attention(Attention op, OpNode node, Tensor[] g) {
        Tensor mask = node.inputCount() > 3 ? (Tensor) node.input(3) : null;
        Tensor output = Gradient.output(node, 0);
        Tensor gradient = g[0] == null ? Gradients.zerosLike(output) : g[0];
        DType sums = Attention.accumulator(output.dtype());
        Tensor products = gradient.to(sums).mul(output.to(sums)).sum(-1);
        Tensor less = g[1] == null ? products : products.sub(g[1]);
        AttentionGradient back = new AttentionGradient(op.causal(), op.scale());
        Tensor[] operands = {
            (Tensor) node.input(0),
            (Tensor) node.input(1),
            (Tensor) node.input(2),
            gradient,
            Gradient.output(node, 1),
            less
        };
        Tensor[] slopes = apply(back, operands, mask);
        if (mask == null) {
            return slopes;
        }
        return new Tensor[] {slopes[0], slopes[1], slopes[2], node.needs(3) ? ofMask(back, operands, mask) : null};
    }

    private static Tensor[] apply(AttentionGradient op, Tensor[] operands, Tensor mask) {
        Operand[] all = new Operand[OPERANDS + (mask == null ? 0 : 1)];
        System.arraycopy(operands, 0, all, 0, OPERANDS);
        if (mask != null) {
            all[OPERANDS] = mask;
        }
        return Dispatch.applyAll(op, all);
    }

    /**
     * Returns the gradient of an additive mask. The mask may be as large as the attention weights, so storing all
     * weights is acceptable here.
     */
    private static Tensor ofMask(AttentionGradient op, Tensor[] operands, Tensor mask) {
        Parts parts = Parts.of(op, operands, mask);
        return parts.slopes(parts.weights()).sumToSize(mask.shape()).to(mask.dtype());
    }

    /**
     * Returns the gradient of the gradient. The results of the first gradient are {@code a k}, {@code aᵀ q} and
     * {@code pᵀ g}, with {@code a} the scale times the slopes {@code p (g vᵀ - d)}. The gradient of these is a sum of
     * products of the same form.
     */
    public static Tensor[] gradient(AttentionGradient op, OpNode node, Tensor[] arrived) {
        Tensor[] operands = new Tensor[OPERANDS];
        for (int operand = 0; operand < OPERANDS; operand++) {
            operands[operand] = (Tensor) node.input(operand);
        }
        Tensor mask = node.inputCount() > OPERANDS ? (Tensor) node.input(OPERANDS) : null;
        Tensor[] results = Parts.of(op, operands, mask).second(arrived);
        Tensor[] slopes = new Tensor[node.inputCount()];
        for (int operand = 0; operand < slopes.length; operand++) {
            boolean isWanted = results[operand] != null && node.needs(operand);
            slopes[operand] = isWanted
                    ? results[operand]
                            .sumToSize(node.inputShape(operand))
                            .to(node.inputType(operand).dtype())
                    : null;
        }
        return slopes;
    }

    /** The operands of the gradient, in the dtype of accumulation. */
    private record Parts(AttentionScores scores, Tensor value, Tensor gradient, Tensor logarithms, Tensor less) {

        static Parts of(AttentionGradient op, Tensor[] operands, Tensor mask) {
            DType sums = operands[4].dtype();
            Tensor added = mask == null || mask.dtype() == DType.BOOL ? mask : mask.to(sums);
            return new Parts(
                    new AttentionScores(operands[0].to(sums), operands[1].to(sums), added, op.causal(), op.scale()),
                    operands[2].to(sums),
                    operands[3].to(sums),
                    operands[4],
                    operands[5]);
        }

        Tensor weights() {
            return scores.weights(logarithms);
        }

        /** Returns {@code g vᵀ - d}. */
        private Tensor differences() {
            return scores.withoutHidden(scores.ofPairs(gradient, value).sub(less.unsqueeze(-1)));
        }

        Tensor slopes(Tensor weights) {
            return weights.mul(differences());
        }

        /** @param arrived the arriving gradients for the gradients of query, key and value; null if none arrived */
        Tensor[] second(Tensor[] arrived) {
            Tensor toQuery = in(scores.query(), arrived[0]);
            Tensor toKey = in(scores.key(), arrived[1]);
            Tensor toValue = in(value, arrived[2]);
            Tensor weights = weights();
            Tensor slopes = slopes(weights);
            Tensor ofSlopes = scores.ofPairs(toQuery, scores.key())
                    .add(scores.ofPairs(scores.query(), toKey))
                    .mul(scores.scale());
            Tensor ofDifferences = ofSlopes.mul(weights);
            Tensor ofScores =
                    ofSlopes.mul(slopes).add(scores.ofPairs(gradient, toValue).mul(weights));
            Tensor scaled = slopes.mul(scores.scale());
            Tensor scaledScores = ofScores.mul(scores.scale());
            return new Tensor[] {
                scores.ofQueries(scaledScores, scores.key()).add(scores.ofQueries(scaled, toKey)),
                scores.ofKeys(scaledScores, scores.query()).add(scores.ofKeys(scaled, toQuery)),
                scores.ofKeys(ofDifferences, gradient),
                scores.ofQueries(ofDifferences, value).add(scores.ofQueries(weights, toValue)),
                ofScores.sum(-1).neg(),
                ofDifferences.sum(-1).neg(),
                ofScores
            };
        }

        private static Tensor in(Tensor like, Tensor arrived) {
            return arrived == null ? Gradients.zerosLike(like) : arrived.to(like.dtype());
        }
    }

    /**
     * Attention that stores all weights, {@code [batch, heads, queries, keys]}, and the products that compute them or use them. The
     * heads of a group form one matrix of queries. Everything has the dtype of accumulation.
     *
     * @param mask the mask, or null
     */
    private record AttentionScores(Tensor query, Tensor key, Tensor mask, boolean causal, double scale) {

        /** Computes the weights {@code exp(scores - logarithms)}, which sum to 1. Hidden keys get 0. */
        public Tensor weights(Tensor logarithms) {
            Tensor scores = ofPairs(query, key).mul(scale);
            Tensor masked = mask == null || mask.dtype() == DType.BOOL ? scores : scores.add(mask);
            return withoutHidden(masked.sub(logarithms.unsqueeze(-1)).exp());
        }

        /** Replaces the elements of hidden keys by 0. */
        public Tensor withoutHidden(Tensor pairs) {
            Tensor shown = mask == null || mask.dtype() != DType.BOOL ? pairs : pairs.maskedFill(mask.logicalNot(), 0);
            if (!causal) {
                return shown;
            }
            Tensor past =
                    pairs.newOnes(DType.BOOL, pairs.size(-2), pairs.size(-1)).tril();
            return shown.maskedFill(past.logicalNot(), 0);
        }

        /** Returns {@code queries · keysᵀ}. */
        public Tensor ofPairs(Tensor queries, Tensor keys) {
            return mergeHeads(queries).matmul(keys.mT()).reshape(pairs());
        }

        /** Returns {@code pairs · keys}: a row for each query. */
        public Tensor ofQueries(Tensor pairs, Tensor keys) {
            Shape shape = query.shape();
            return mergeHeads(pairs).matmul(keys).reshape(shape.size(0), shape.size(1), shape.size(2), keys.size(-1));
        }

        /** Returns {@code pairsᵀ · queries}: a row for each key. */
        public Tensor ofKeys(Tensor pairs, Tensor queries) {
            return mergeHeads(pairs).mT().matmul(mergeHeads(queries));
        }

        private Shape pairs() {
            return Shape.of(query.size(0), query.size(1), query.size(2), key.size(2));
        }

        /** Returns {@code [batch, groups, queries of all heads of a group, ...]}. */
        private Tensor mergeHeads(Tensor perHead) {
            long groups = key.size(1);
            long heads = groups == 0 ? 0 : query.size(1) / groups;
            return perHead.reshape(perHead.size(0), groups, heads * perHead.size(2), perHead.size(3));
        }
    }
}
