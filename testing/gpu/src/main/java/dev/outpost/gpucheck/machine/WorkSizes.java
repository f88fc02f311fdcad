package dev.outpost.gpucheck.machine;

import java.util.List;

/**
 * How large is what is measured.
 *
 * @param largeMatrix rows and columns of the larger product
 * @param matrix of the other products
 * @param chain elements that a chain of ops goes over
 * @param rows rows and columns of what is normalized
 * @param heads of attention
 * @param sequence queries and keys of attention
 * @param width features of the small models' layers
 * @param tokens how many a row of the transformer's batch has
 * @param batch rows of it
 * @param models language models of which steps are measured
 * @param served those of which also steps of a server are
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
    /** As the aims say. */
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

    /** Of a machine that is to be right, not fast. */
    public static final WorkSizes SMALL =
            new WorkSizes(48, 32, 1000, 64, 2, 40, 16, 8, 2, List.of(LlamaShape.TINY), List.of(LlamaShape.TINY));
}
