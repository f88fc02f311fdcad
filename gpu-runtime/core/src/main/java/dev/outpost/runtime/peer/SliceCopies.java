package dev.outpost.runtime.peer;

import dev.outpost.types.Shape;

/** Copies slices of row-major elements along one dimension. */
final class SliceCopies {
    private SliceCopies() {}

    /** Returns the indices {@code start} to {@code end} of a dimension. */
    static byte[] cut(byte[] whole, Shape shape, int dim, long start, long end, int elementBytes) {
        long inner = inner(shape, dim) * elementBytes;
        int run = Math.toIntExact((end - start) * inner);
        long outer = outer(shape, dim);
        byte[] part = new byte[Math.toIntExact(outer * run)];
        for (int block = 0; block < outer; block++) {
            int at = Math.toIntExact((block * shape.size(dim) + start) * inner);
            System.arraycopy(whole, at, part, block * run, run);
        }
        return part;
    }

    /** Copies a slice back to its place; the counterpart of {@link #cut}. */
    static void paste(byte[] part, byte[] whole, Shape shape, int dim, long start, long end, int elementBytes) {
        long inner = inner(shape, dim) * elementBytes;
        int run = Math.toIntExact((end - start) * inner);
        long outer = outer(shape, dim);
        for (int block = 0; block < outer; block++) {
            int at = Math.toIntExact((block * shape.size(dim) + start) * inner);
            System.arraycopy(part, block * run, whole, at, run);
        }
    }

    /** Returns the number of bytes that {@link #cut} returns. */
    static long bytes(Shape shape, int dim, long start, long end, int elementBytes) {
        return outer(shape, dim) * (end - start) * inner(shape, dim) * elementBytes;
    }

    private static long outer(Shape shape, int dim) {
        return product(shape, 0, dim);
    }

    private static long inner(Shape shape, int dim) {
        return product(shape, dim + 1, shape.rank());
    }

    private static long product(Shape shape, int from, int to) {
        long product = 1;
        for (int dim = from; dim < to; dim++) {
            product *= shape.size(dim);
        }
        return product;
    }
}
