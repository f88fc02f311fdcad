package dev.outpost.onnx.graph;

import dev.outpost.HostTensor;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** A model with its graph: the inputs that it takes, and the types of all values for them. Thread-safe. */
public final class ModelGraph {
    /** The maximum number of combinations of input types for which the types of values are cached. */
    private static final int MAX_KEPT = 32;

    private final OnnxFile file;
    private final GraphIndex index;
    private final Map<Map<String, TensorType>, Map<String, TensorType>> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Map<String, TensorType>, Map<String, TensorType>> eldest) {
            return size() > MAX_KEPT;
        }
    };

    private ModelGraph(OnnxFile file, GraphIndex index) {
        this.file = file;
        this.index = index;
    }

    public static ModelGraph of(OnnxFile file) {
        return new ModelGraph(file, GraphIndex.of(file.model().getGraph()));
    }

    public OnnxFile file() {
        return file;
    }

    public GraphIndex index() {
        return index;
    }

    /** Returns the known types of values for inputs of these types. */
    public Map<String, TensorType> types(Map<String, TensorType> inputs) {
        synchronized (known) {
            return known.computeIfAbsent(Map.copyOf(inputs), given -> ShapeInference.infer(file, index, given));
        }
    }

    /** Returns a cutter for inputs of these types. */
    public StageCutter cutter(Map<String, TensorType> inputs) {
        return new StageCutter(file, index, types(inputs));
    }

    /**
     * Returns the types of the inputs, with 1 for sizes that the model leaves open.
     *
     * @param shapes other sizes to use, by input
     */
    public Map<String, TensorType> nominalInputs(Map<String, long[]> shapes) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        index.inputs().forEach((name, info) -> {
            long[] said = shapes.get(name);
            types.put(name, new TensorType(dtype(info), said == null ? nominal(info) : Shape.of(said)));
        });
        requireKnown(shapes.keySet());
        return types;
    }

    private static Shape nominal(ValueInfoProto info) {
        TensorShapeProto shape = info.getType().getTensorType().getShape();
        long[] sizes = new long[Math.min(Shape.MAX_RANK, shape.getDimCount())];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = shape.getDim(dim).hasDimValue()
                    ? Math.max(0, shape.getDim(dim).getDimValue())
                    : 1;
        }
        return Shape.of(sizes);
    }

    private static DType dtype(ValueInfoProto info) {
        TypeProto type = info.getType();
        return OnnxTypes.dtype(type.getTensorType().getElemType())
                .filter(dtype -> type.hasTensorType())
                .orElseThrow(() -> new OnnxException("the input " + info.getName() + " is of the dtype "
                        + type.getTensorType().getElemType() + ", which no tensor has"));
    }

    /** Returns the types of given inputs. Fails if they do not match the model's. */
    public Map<String, TensorType> check(Map<String, HostTensor> inputs) {
        requireKnown(inputs.keySet());
        Map<String, TensorType> types = new LinkedHashMap<>();
        index.inputs().forEach((name, info) -> {
            HostTensor given = inputs.get(name);
            if (given == null) {
                throw new OnnxException("the input " + name + " is missing; the model takes "
                        + index.inputs().keySet());
            }
            check(name, info, given);
            types.put(name, new TensorType(given.dtype(), given.shape()));
        });
        return types;
    }

    private void requireKnown(java.util.Set<String> names) {
        for (String name : names) {
            if (!index.inputs().containsKey(name)) {
                throw new OnnxException("the model has no input " + name + "; it takes "
                        + new TreeSet<>(index.inputs().keySet()));
            }
        }
    }

    private static void check(String name, ValueInfoProto info, HostTensor given) {
        if (given.dtype() != dtype(info)) {
            throw new OnnxException("the input " + name + " is of " + dtype(info) + ", got " + given.dtype());
        }
        if (!info.getType().getTensorType().hasShape()) {
            return;
        }
        TensorShapeProto shape = info.getType().getTensorType().getShape();
        boolean fits = shape.getDimCount() == given.shape().rank();
        for (int dim = 0; fits && dim < shape.getDimCount(); dim++) {
            fits = !shape.getDim(dim).hasDimValue()
                    || shape.getDim(dim).getDimValue() == given.shape().size(dim);
        }
        if (!fits) {
            throw new OnnxException("the input " + name + " has the shape " + text(shape) + ", got " + given.shape());
        }
    }

    /** Returns a shape as declared by the model: numbers, and names for open sizes. */
    public static String text(TensorShapeProto shape) {
        return shape.getDimList().stream()
                .map(dim -> dim.hasDimValue()
                        ? Long.toString(dim.getDimValue())
                        : dim.getDimParam().isEmpty() ? "?" : dim.getDimParam())
                .collect(java.util.stream.Collectors.joining(", ", "[", "]"));
    }
}
