package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import java.util.List;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The part of {@link Sums} that needs the Vector API. A JVM without this API does not load the class. */
final class VectorSums {
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;

    private VectorSums() {}

    /** Sums the float32 elements that fill whole vector registers. Returns the number of bytes that it has summed. */
    static int floats(List<Slice> terms, byte[] sum, int at) {
        int done = BYTES.loopBound(terms.getFirst().length());
        for (int index = 0; index < done; index += BYTES.length()) {
            FloatVector total = floats(terms.getFirst(), index);
            for (int term = 1; term < terms.size(); term++) {
                total = total.add(floats(terms.get(term), index));
            }
            total.reinterpretAsBytes().intoArray(sum, at + index);
        }
        return done;
    }

    private static FloatVector floats(Slice term, int index) {
        return ByteVector.fromArray(BYTES, term.array(), term.from() + index).reinterpretAsFloats();
    }
}
