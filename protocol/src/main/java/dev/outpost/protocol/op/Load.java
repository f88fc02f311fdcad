package dev.outpost.protocol.op;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * A tensor, or a box-shaped part of one, that the machine itself reads from a source. Loaded data never change, so
 * equal instructions of all sessions may share memory.
 *
 * @param type (structure) dtype, to which the elements are cast while they are loaded, and shape of the box
 * @param uri (data) the source
 * @param version (data) the version of the source when it was opened; another version is refused
 * @param file (data) the file in the source
 * @param tensor (data) its name in the file
 * @param starts (data) the first index of the box in each dimension
 */
public record Load(TensorType type, String uri, String version, String file, String tensor, List<Long> starts)
        implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(177, "load", 0);

    public Load {
        starts = List.copyOf(starts);
    }

    static Load read(AttributeReader in) {
        TensorType type = in.type();
        ByteReader data = in.data();
        String uri = data.string();
        String version = data.string();
        String file = data.string();
        String tensor = data.string();
        return new Load(type, uri, version, file, tensor, readStarts(data));
    }

    private static List<Long> readStarts(ByteReader data) {
        int rank = data.count("rank", 1);
        if (rank > Shape.MAX_RANK) {
            throw new MalformedException("rank " + rank + " is over " + Shape.MAX_RANK);
        }
        List<Long> starts = new ArrayList<>(rank);
        for (int dim = 0; dim < rank; dim++) {
            starts.add(data.varint());
        }
        return starts;
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.type(type);
        ByteWriter data = out.data();
        data.string(uri);
        data.string(version);
        data.string(file);
        data.string(tensor);
        data.varint(starts.size());
        starts.forEach(data::varint);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (starts.size() != type.shape().rank() || starts.stream().anyMatch(start -> start < 0)) {
            throw new OpException(
                    label(), "expected a start for each dimension of " + type.shape() + ", got " + starts);
        }
        return new TensorType[] {type};
    }
}
