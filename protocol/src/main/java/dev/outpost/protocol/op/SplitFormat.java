package dev.outpost.protocol.op;

import dev.outpost.types.MalformedException;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.List;

/** The encoding of a split among an op's attributes. */
final class SplitFormat {
    private SplitFormat() {}

    static void write(Split split, AttributeWriter out) {
        out.structure().varint(split.dim());
        out.structure().varint(split.bounds().size());
        split.bounds().forEach(out.structure()::varint);
    }

    static Split read(AttributeReader in) {
        int dim = in.structure().smallInt("dimension");
        int count = in.structure().count("bounds", 1);
        if (count == 0) {
            throw new MalformedException("a split has no bounds");
        }
        List<Long> bounds = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            bounds.add(in.structure().varint());
            if (index > 0 && bounds.get(index) < bounds.get(index - 1)) {
                throw new MalformedException("the bounds of a split fall: " + bounds);
            }
        }
        if (bounds.getFirst() != 0) {
            throw new MalformedException("the bounds of a split begin at 0, got " + bounds);
        }
        return new Split(dim, bounds);
    }
}
