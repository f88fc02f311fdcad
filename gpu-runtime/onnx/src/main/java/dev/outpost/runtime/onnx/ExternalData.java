package dev.outpost.runtime.onnx;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;

/**
 * Refuses models with tensors outside of the model and its transferred weights. A tensor may name any file of this host, and some names
 * make ONNX Runtime read the memory of its process. So tensors are only read from the session.
 */
final class ExternalData {
    /** The limit of nested messages in a model; compiled models have a few levels. */
    private static final int MAX_NESTED = 100;

    /**
     * The location that marks an initializer as transferred separately from the model. It is not the name of a file. Every other
     * external location is refused.
     */
    private static final String HANDED_OVER = "handed-over";

    private static final int TENSOR_NAME = 8;
    private static final int TENSOR_EXTERNAL_DATA = 13;
    private static final int TENSOR_LOCATION = 14;
    private static final int GRAPH_INITIALIZER = 5;
    private static final int ENTRY_VALUE = 2;

    /** The messages of ONNX's format that can contain tensors. */
    private enum Kind {
        MODEL,
        GRAPH,
        NODE,
        ATTRIBUTE,
        SPARSE_TENSOR,
        FUNCTION,
        TRAINING,
        TENSOR
    }

    /** For each kind of message, the fields that contain another kind. The numbers are those of onnx.proto. */
    private static final Map<Kind, Map<Integer, Kind>> FIELDS = Map.of(
            Kind.MODEL, Map.of(7, Kind.GRAPH, 20, Kind.TRAINING, 25, Kind.FUNCTION),
            Kind.GRAPH, Map.of(1, Kind.NODE, GRAPH_INITIALIZER, Kind.TENSOR, 15, Kind.SPARSE_TENSOR),
            Kind.NODE, Map.of(5, Kind.ATTRIBUTE),
            Kind.ATTRIBUTE,
                    Map.of(
                            5, Kind.TENSOR,
                            6, Kind.GRAPH,
                            10, Kind.TENSOR,
                            11, Kind.GRAPH,
                            22, Kind.SPARSE_TENSOR,
                            23, Kind.SPARSE_TENSOR),
            Kind.SPARSE_TENSOR, Map.of(1, Kind.TENSOR, 2, Kind.TENSOR),
            Kind.FUNCTION, Map.of(7, Kind.NODE, 11, Kind.ATTRIBUTE),
            Kind.TRAINING, Map.of(1, Kind.GRAPH, 2, Kind.GRAPH),
            Kind.TENSOR, Map.of());

    private final Set<String> weights;

    private ExternalData(Set<String> weights) {
        this.weights = weights;
    }

    /**
     * Refuses a model that reads anything but itself and its transferred weights.
     *
     * @param weights the names of the transferred initializers
     */
    static void refuse(ByteBuffer model, Set<String> weights) {
        new ExternalData(weights).visit(Kind.MODEL, model, 0);
    }

    private void visit(Kind kind, ByteBuffer message, int depth) {
        if (depth > MAX_NESTED) {
            throw WireReader.malformed("more than " + MAX_NESTED + " messages within each other");
        }
        Map<Integer, Kind> inner = FIELDS.get(kind);
        WireReader fields = new WireReader(message);
        while (fields.next()) {
            Kind next = inner.get(fields.field());
            if (next == Kind.TENSOR) {
                boolean mayBeApart = depth == 1 && kind == Kind.GRAPH;
                checkTensor(fields.content(), mayBeApart);
            } else if (next != null) {
                visit(next, fields.content(), depth + 1);
            }
        }
    }

    private void checkTensor(ByteBuffer tensor, boolean mayBeApart) {
        String name = "";
        String place = "";
        boolean isApart = false;
        boolean isHandedOver = true;
        WireReader fields = new WireReader(tensor);
        while (fields.next()) {
            switch (fields.field()) {
                case TENSOR_NAME -> name = fields.text();
                case TENSOR_LOCATION -> isApart |= fields.number() != 0;
                case TENSOR_EXTERNAL_DATA -> {
                    isApart = true;
                    place = value(fields.content());
                    isHandedOver &= place.equals(HANDED_OVER);
                }
                default -> {
                    // The other fields hold the tensor itself.
                }
            }
        }
        if (isApart && !(mayBeApart && isHandedOver && weights.contains(name))) {
            throw refused(name, place);
        }
    }

    private static String value(ByteBuffer entry) {
        String value = "";
        WireReader fields = new WireReader(entry);
        while (fields.next()) {
            if (fields.field() == ENTRY_VALUE) {
                value = fields.text();
            }
        }
        return value;
    }

    private static OutpostException refused(String name, String place) {
        return new OutpostException(
                FaultKind.USER,
                "model_open: the tensor " + name + " is stored in \"" + place
                        + "\", and a model reads no files of the machine that runs it; send its weights with it, as"
                        + " OnnxPipeline does");
    }
}
