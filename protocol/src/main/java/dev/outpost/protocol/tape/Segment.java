package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.types.MalformedException;
import dev.outpost.types.TensorType;
import org.jspecify.annotations.Nullable;

/** A received segment, split into its parts. {@link #decode} reads the instructions. */
public final class Segment {
    private final StructureCode structure;
    private final SegmentArguments arguments;
    private final String @Nullable [] sources;

    private Segment(StructureCode structure, SegmentArguments arguments, String @Nullable [] sources) {
        this.structure = structure;
        this.arguments = arguments;
        this.sources = sources;
    }

    /** Reads a whole segment. Throws {@link MalformedException} if the parts do not fit. */
    public static Segment read(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        StructureCode structure = StructureCode.read(in.block());
        SegmentArguments arguments = SegmentArguments.read(in, structure);
        return new Segment(structure, arguments, readSources(arguments.sources(), structure.instructionCount()));
    }

    /** Writes a segment; the counterpart of {@link #read}. */
    public static byte[] write(byte[] structure, SegmentArguments arguments) {
        ByteWriter out = new ByteWriter(structure.length + arguments.bytes() + 64);
        out.block(structure);
        arguments.write(out);
        return out.toByteArray();
    }

    /** Reads the next run of this structure from its changes {@linkplain SegmentArguments#since since} this one. */
    public Segment next(byte[] changes) {
        SegmentArguments next = arguments.next(changes);
        boolean isFromSameLines = next.sources() == arguments.sources();
        String @Nullable [] lines =
                isFromSameLines ? sources : readSources(next.sources(), structure.instructionCount());
        return new Segment(structure, next, lines);
    }

    public StructureCode structure() {
        return structure;
    }

    SegmentArguments particulars() {
        return arguments;
    }

    /** Returns the bytes of the data attributes and immediates, in the order of the instructions. */
    public byte[] data() {
        return arguments.data();
    }

    /** Returns the ids of the input values, by input index. */
    public long[] inputs() {
        return arguments.inputs();
    }

    /** Returns the ids of the results that outlive the segment, in the order in which they are computed. */
    public long[] outputs() {
        return arguments.outputs();
    }

    /** Returns the ids of {@link #inputs} and {@link #outputs}. */
    public Bindings bindings() {
        return new Bindings(inputs(), outputs());
    }

    /** Returns the user's lines by instruction, each null if unknown; null if all are unknown. */
    String @Nullable [] sources() {
        return sources;
    }

    /**
     * Reads the instructions over inputs of the given types. Throws {@link MalformedException} for an invalid reference or a wrong
     * count, and the op's {@code OpException} for operands that it refuses.
     */
    public DecodedSegment decode(TensorType... inputTypes) {
        return DecodedSegment.of(this, inputTypes);
    }

    /** Returns the graph of the result of {@link #decode}. */
    public Graph graph(TensorType... inputTypes) {
        return decode(inputTypes).graph();
    }

    private static String @Nullable [] readSources(byte[] bytes, int instructions) {
        ByteReader in = new ByteReader(bytes);
        int count = in.count("source count", 2);
        if (count == 0) {
            in.expectEnd("segment");
            return null;
        }
        String[] sources = new String[instructions];
        for (int index = 0; index < count; index++) {
            int instruction = in.smallInt("source position");
            if (instruction >= instructions) {
                throw new MalformedException("a source line names instruction " + instruction + " of " + instructions);
            }
            sources[instruction] = in.string();
        }
        in.expectEnd("segment");
        return sources;
    }
}
