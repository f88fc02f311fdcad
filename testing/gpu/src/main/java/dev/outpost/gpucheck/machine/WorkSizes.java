package dev.outpost.gpucheck.machine;

import java.util.List;

/**
 * The sizes of the measured works.
 *
 * @param largeMatrix the number of rows and columns of the larger product
 * @param matrix the number of rows and columns of the other products
 * @param chain the number of elements for a chain of ops
 * @param rows the number of rows and columns of the normalized matrix
 * @param heads the number of heads of attention
 * @param sequence the number of queries and of keys of attention
 * @param width the number of features of the small models' layers
 * @param tokens the number of tokens of a row of the transformer's batch
 * @param batch the number of rows of the transformer's batch
 * @param models the language models of the measured steps
 * @param served the models of which steps of a server are also measured
 */
public record WorkSizes(
        long largeMatrix,
        long matrix,
        long chain,
        long rows,
        long heads,
        long sequence,
        int width,
        int tokens,
        int batch,
        List<LlamaShape> models,
        List<LlamaShape> served) {
    /** The sizes of the aims. */
    public static final WorkSizes GPU = new WorkSizes(
            8192,
            4096,
            64 << 20,
            8192,
            16,
            4096,
            256,
            128,
            8,
            List.of(LlamaShape.M135, LlamaShape.B1, LlamaShape.B8),
            List.of(LlamaShape.B1, LlamaShape.B8));

    /** The sizes for a machine whose results are checked, but not its speed. */
    public static final WorkSizes SMALL =
            new WorkSizes(48, 32, 1000, 64, 2, 40, 16, 8, 2, List.of(LlamaShape.TINY), List.of(LlamaShape.TINY));
}
