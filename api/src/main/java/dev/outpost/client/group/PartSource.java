package dev.outpost.client.group;

import dev.outpost.client.transfer.ElementSource;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;

/** A member's part of elements that the program uploads. */
final class PartSource implements ElementSource {
    private final ElementSource whole;
    /** The number of contiguous bytes in each run of the part, and the distance of such runs in the whole. */
    private final long run;

    private final long distance;
    private final long start;

    PartSource(ElementSource whole, TensorType type, Split split, int member) {
        this.whole = whole;
        Shape shape = type.shape();
        long inner = type.dtype().bytes();
        for (int dim = split.dim() + 1; dim < shape.rank(); dim++) {
            inner *= shape.size(dim);
        }
        this.run = split.size(member) * inner;
        this.distance = shape.size(split.dim()) * inner;
        this.start = split.start(member) * inner;
    }

    @Override
    public void read(int first, byte[] target, int at, int length) {
        int done = 0;
        while (done < length) {
            long position = (long) first + done;
            long block = position / run;
            long within = position % run;
            int count = (int) Math.min(length - done, run - within);
            whole.read((int) (block * distance + start + within), target, at + done, count);
            done += count;
        }
    }

    @Override
    public boolean isFixed() {
        return whole.isFixed();
    }
}
