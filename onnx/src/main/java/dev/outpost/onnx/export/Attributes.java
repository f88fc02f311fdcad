package dev.outpost.onnx.export;

import dev.outpost.onnx.proto.AttributeProto;
import dev.outpost.onnx.proto.NodeProto;
import java.util.ArrayList;
import java.util.List;

/** Attributes of a node. Immutable. */
record Attributes(List<AttributeProto> all) {
    static final Attributes NONE = new Attributes(List.of());

    Attributes {
        all = List.copyOf(all);
    }

    static Attributes of(String name, long value) {
        return NONE.and(AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.INT)
                .setI(value));
    }

    static Attributes of(String name, long... values) {
        return NONE.and(name, values);
    }

    Attributes and(String name, long... values) {
        AttributeProto.Builder attribute =
                AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        for (long value : values) {
            attribute.addInts(value);
        }
        return and(attribute);
    }

    Attributes andNumber(String name, long value) {
        return and(AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.INT)
                .setI(value));
    }

    private Attributes and(AttributeProto.Builder attribute) {
        List<AttributeProto> more = new ArrayList<>(all);
        more.add(attribute.build());
        return new Attributes(more);
    }

    void addTo(NodeProto.Builder node) {
        node.addAllAttribute(all);
    }
}
