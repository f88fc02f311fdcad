package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.runtime.memory.Array;

/** Products with quantized weights, in double. */
final class QuantizedProduct {
    private QuantizedProduct() {}

    /** Multiplies each row with each output. */
    static void run(QuantizedMatmul op, Array[] in, Array output) {
        Weights weights = new Weights(op.bits(), op.group(), in);
        long inputs = in[0].shape().size(1);
        ElementCursor outputs = ElementCursor.of(output);
        for (long row = 0; row < output.shape().size(0); row++) {
            for (long feature = 0; feature < output.shape().size(1); feature++) {
                double sum = 0;
                for (long input = 0; input < inputs; input++) {
                    sum += ElementCursor.heap(in[0]).getDouble(at(in[0], row, input)) * weights.at(feature, input);
                }
                outputs.put(sum);
            }
        }
    }

    /** Multiplies each row of gradients with each input. */
    static void run(QuantizedMatmulInput op, Array[] in, Array output) {
        Weights weights = new Weights(op.bits(), op.group(), in);
        long features = in[0].shape().size(1);
        ElementCursor outputs = ElementCursor.of(output);
        for (long row = 0; row < output.shape().size(0); row++) {
            for (long input = 0; input < output.shape().size(1); input++) {
                double sum = 0;
                for (long feature = 0; feature < features; feature++) {
                    sum += ElementCursor.heap(in[0]).getDouble(at(in[0], row, feature)) * weights.at(feature, input);
                }
                outputs.put(sum);
            }
        }
    }

    private record Weights(int bits, int group, Array[] in) {
        double at(long feature, long input) {
            double scale = ElementCursor.heap(in[2]).getDouble(QuantizedProduct.at(in[2], feature, input / group));
            long zero = ElementCursor.heap(in[3]).getLong(QuantizedProduct.at(in[3], feature, input / group));
            long stored =
                    ElementCursor.heap(in[1]).getLong(QuantizedProduct.at(in[1], feature, input * bits / Byte.SIZE));
            long code = bits == Byte.SIZE ? stored : stored >> input % 2 * bits & 15;
            return (code - zero) * scale;
        }
    }

    private static int at(Array matrix, long row, long column) {
        return (int) (matrix.layout().offset()
                + row * matrix.layout().stride(0)
                + column * matrix.layout().stride(1));
    }
}
