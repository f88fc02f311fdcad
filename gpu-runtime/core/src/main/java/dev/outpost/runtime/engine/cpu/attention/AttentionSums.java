package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.strip.Im2colCopies;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/** The partial sums of the gradients of keys and values, which threads share. The number of parts depends only on shapes. */
record AttentionSums(List<Array> ofKeys, List<Array> ofValues, Elementwise elementwise) {
    /** The number of parts. Each part takes as much memory as the keys and values. */
    private static final int PARTS = 4;

    /** Creates the sums with undefined content. The first part is the result itself. */
    static AttentionSums of(Shape query, Array toKey, Array toValue, Elementwise elementwise, Scratch scratch) {
        long alone = query.size(0) * toKey.shape().size(1);
        int parts = (int) Math.max(1, PARTS / Math.max(1, alone));
        return new AttentionSums(parts(parts, toKey, scratch), parts(parts, toValue, scratch), elementwise);
    }

    private static List<Array> parts(int count, Array target, Scratch scratch) {
        List<Array> parts = new ArrayList<>(List.of(target));
        while (parts.size() < count) {
            parts.add(scratch.array(target.dtype(), target.shape()));
        }
        return parts;
    }

    /** Sets the whole result to 0. */
    void clear() {
        for (Array target : List.of(ofKeys.getFirst(), ofValues.getFirst())) {
            Fills.fill(elementwise, Scalar.of(target.dtype(), 0L), target);
        }
    }

    /** Sets the sums of one part and group to 0. */
    void clear(int part, int batch, int group) {
        clear(ofKeys.get(part), keys(part, batch, group));
        clear(ofValues.get(part), values(part, batch, group));
    }

    private static void clear(Array sum, Matrix matrix) {
        Im2colCopies.clear(matrix.elements(), matrix.offset(), (int)
                (sum.shape().size(2) * sum.shape().size(3)));
    }

    int parts() {
        return ofKeys.size();
    }

    Matrix keys(int part, int batch, int group) {
        return BlockScores.matrix(ofKeys.get(part), batch, group);
    }

    Matrix values(int part, int batch, int group) {
        return BlockScores.matrix(ofValues.get(part), batch, group);
    }

    /** Adds all parts to the first one. */
    void join() {
        for (List<Array> sums : List.of(ofKeys, ofValues)) {
            Array target = sums.getFirst();
            for (Array sum : sums.subList(1, sums.size())) {
                elementwise.run(Expression.binary(Binary.ADD, target.dtype()), target, target, sum);
            }
        }
    }
}
