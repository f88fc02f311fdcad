package dev.outpost.gpucheck.engine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Causal attention of bfloat16 and its gradients, by the host's clock. It counts the products of visible pairs: two in the forward pass,
 * and five in the backward pass.
 *
 * @param sequence the number of queries, and of keys
 */
record AttentionSpeed(Engine engine, int heads, int sequence, int features) {
    private static final int REPEATS = 10;

    GpuFinding measure() {
        TensorType rows = new TensorType(DType.FLOAT32, Shape.of(1, heads, sequence));
        TensorType matrix = new TensorType(DType.BFLOAT16, Shape.of(1, heads, sequence, features));
        double scale = 1 / Math.sqrt(features);
        double there = seconds(new Attention(true, scale), matrix, matrix, matrix);
        double back = seconds(new AttentionGradient(true, scale), matrix, matrix, matrix, matrix, rows, rows);
        double product = 2.0 * heads * sequence * sequence / 2 * features / 1e12;
        double forward = 2 * product / there;
        double backward = 5 * product / back;
        return GpuFinding.of(
                Map.of("forward TFLOP/s", forward, "backward TFLOP/s", backward),
                "%d heads of %d, %d keys: %.2f ms, %.0f TFLOP/s; back %.2f ms, %.0f TFLOP/s",
                heads,
                features,
                sequence,
                1e3 * there,
                forward,
                1e3 * back,
                backward);
    }

    private double seconds(Op op, TensorType... types) {
        Kernel kernel = engine.compile(OpGraphs.of(op, types).instructions().getFirst());
        Array[] in = Stream.of(types).map(this::ones).toArray(Array[]::new);
        Array[] out = Stream.of(op.infer(types)).map(this::allocate).toArray(Array[]::new);
        try {
            kernel.run(op, in, out);
            engine.read(out[0], 0, 1);
            long start = System.nanoTime();
            for (int time = 0; time < REPEATS; time++) {
                kernel.run(op, in, out);
            }
            engine.read(out[0], 0, 1);
            return (System.nanoTime() - start) / 1e9 / REPEATS;
        } finally {
            Stream.of(in, out).flatMap(Stream::of).map(Array::buffer).forEach(engine::release);
        }
    }

    private Array allocate(TensorType type) {
        return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
    }

    /** Returns the bits of numbers near 1 in bfloat16; followed by other bits, they are float32. */
    private Array ones(TensorType type) {
        Array array = allocate(type);
        byte[] bytes = new byte[Math.toIntExact(type.bytes())];
        for (int at = 0; at < bytes.length; at += 2) {
            bytes[at] = (byte) (0x80 | at / 2 * 37 % 61);
            bytes[at + 1] = 0x3f;
        }
        engine.write(array.buffer(), 0, new Slice(bytes, 0, bytes.length));
        return array;
    }
}
