package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** Programs of attention, as training records them. */
public final class AttentionPrograms {
    private AttentionPrograms() {}

    /** Causal attention with two heads per group, and its gradients; the sums that are subtracted from slopes are inputs. */
    public static Graph attention() {
        Sketch sketch = new Sketch();
        int query = sketch.input(new TensorType(DType.BFLOAT16, Shape.of(1, 4, 100, 64)));
        int key = sketch.input(new TensorType(DType.BFLOAT16, Shape.of(1, 2, 100, 64)));
        int value = sketch.input(new TensorType(DType.BFLOAT16, Shape.of(1, 2, 100, 128)));
        int gradient = sketch.input(new TensorType(DType.BFLOAT16, Shape.of(1, 4, 100, 128)));
        int less = sketch.input(new TensorType(DType.FLOAT32, Shape.of(1, 4, 100)));
        int logarithms = 1 + sketch.op(new Attention(true, 0.125), query, key, value);
        sketch.op(new AttentionGradient(true, 0.125), query, key, value, gradient, logarithms, less);
        return sketch.graph();
    }
}
