package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.runtime.memory.Array;

/** Each row with each output, in double. */
final class QuantizedProduct {
    private QuantizedProduct() {}

    static void run(QuantizedMatmul op, Array[] in, Array output) {
        long inputs = in[0].shape().size(1);
        Elements outputs = Elements.of(output);
        for (long row = 0; row < output.shape().size(0); row++) {
            for (long feature = 0; feature < output.shape().size(1); feature++) {
                double sum = 0;
                for (long input = 0; input < inputs; input++) {
                    sum += Elements.heap(in[0]).getDouble(at(in[0], row, input)) * weight(op, in, feature, input);
                }
                outputs.put(sum);
            }
        }
    }

    private static double weight(QuantizedMatmul op, Array[] in, long feature, long input) {
        long group = input / op.group();
        double scale = Elements.heap(in[2]).getDouble(at(in[2], feature, group));
        long zero = Elements.heap(in[3]).getLong(at(in[3], feature, group));
        long stored = Elements.heap(in[1]).getLong(at(in[1], feature, input * op.bits() / Byte.SIZE));
        long code = op.bits() == Byte.SIZE ? stored : stored >> input % 2 * op.bits() & 15;
        return (code - zero) * scale;
    }

    private static int at(Array matrix, long row, long column) {
        return (int) (matrix.layout().offset()
                + row * matrix.layout().stride(0)
                + column * matrix.layout().stride(1));
    }
}
