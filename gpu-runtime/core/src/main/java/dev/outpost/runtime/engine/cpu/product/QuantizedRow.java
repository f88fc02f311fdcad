package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;

/**
 * One row in the form that {@link VectorQuantizedRows} reads.
 *
 * @param values the inputs; for codes of 4 bits all even ones, then all odd ones
 * @param sums the sum of the inputs of each group
 */
record QuantizedRow(float[] values, float[] sums) {
    static QuantizedRow of(Codes codes, Array row) {
        int inputs = codes.inputs();
        int at = (int) row.layout().offset();
        float[] from = Elementwise.buffer(row).floats();
        float[] values = new float[inputs];
        float[] sums = new float[inputs / codes.group()];
        for (int input = 0; input < inputs; input++) {
            int place = codes.bits() == Byte.SIZE ? input : input % 2 * (inputs / 2) + input / 2;
            values[place] = from[at + input];
            sums[input / codes.group()] += from[at + input];
        }
        return new QuantizedRow(values, sums);
    }
}
