package dev.outpost.protocol.explain;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.PeerText;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** How an {@link Explanation} is written. */
final class ExplanationBytes {
    private ExplanationBytes() {}

    static byte[] write(Explanation explanation) {
        ByteWriter out = new ByteWriter(1 << 10);
        out.string(explanation.value());
        list(out, explanation.values(), ExplanationBytes::writeValue);
        list(out, explanation.nodes(), ExplanationBytes::writeNode);
        list(out, explanation.kernels(), ExplanationBytes::writeKernel);
        ExplainedMemory memory = explanation.memory();
        out.varint(memory.inputBytes());
        out.varint(memory.peakBytes());
        out.zigzag(memory.peakAt());
        out.varint(memory.keptBytes());
        Explanation.SegmentSize segment = explanation.segment();
        out.varint(segment.instructions());
        out.varint(segment.kernels());
        out.varint(segment.runs());
        out.varint(segment.omitted());
        return out.toByteArray();
    }

    static Explanation read(ByteReader in) {
        Explanation explanation = new Explanation(
                PeerText.clean(in.string()),
                list(in, "value count", ExplanationBytes::readValue),
                list(in, "node count", ExplanationBytes::readNode),
                list(in, "kernel count", ExplanationBytes::readKernel),
                new ExplainedMemory(in.varint(), in.varint(), place(in), in.varint()),
                new Explanation.SegmentSize(
                        in.smallInt("instruction count"),
                        in.smallInt("kernel count"),
                        in.varint(),
                        in.smallInt("omitted count")));
        in.expectEnd("explanation");
        return explanation;
    }

    private static void writeValue(ByteWriter out, ExplainedValue value) {
        out.string(value.name());
        out.u8(value.type().dtype().code());
        out.varints(value.type().shape().toArray());
        out.zigzag(value.computedBy());
        out.zigzag(value.lastUse());
        out.u8(value.isStored() ? 1 : 0);
    }

    private static ExplainedValue readValue(ByteReader in) {
        return new ExplainedValue(PeerText.clean(in.string()), readType(in), place(in), place(in), in.u8() != 0);
    }

    private static TensorType readType(ByteReader in) {
        DType dtype = DType.ofCode(in.u8());
        try {
            return new TensorType(dtype, Shape.of(in.varints("rank")));
        } catch (OpException impossible) {
            throw new MalformedException("a value cannot have that type: " + impossible.getMessage());
        }
    }

    private static void writeNode(ByteWriter out, ExplainedNode node) {
        out.varint(node.index());
        out.string(node.op());
        list(out, node.operands(), ByteWriter::string);
        list(out, node.results(), ByteWriter::string);
        out.string(node.source());
    }

    private static ExplainedNode readNode(ByteReader in) {
        return new ExplainedNode(
                in.smallInt("node"),
                PeerText.clean(in.string()),
                list(in, "operand count", ByteReader::string),
                list(in, "result count", ByteReader::string),
                PeerText.clean(in.string()));
    }

    private static void writeKernel(ByteWriter out, ExplainedKernel kernel) {
        out.varint(kernel.place());
        out.string(kernel.name());
        list(out, kernel.nodes(), (writer, member) -> writer.varint(member));
        out.string(kernel.code());
        list(out, kernel.times().recentNanos(), ByteWriter::varint);
    }

    private static ExplainedKernel readKernel(ByteReader in) {
        return new ExplainedKernel(
                in.smallInt("kernel"),
                PeerText.clean(in.string()),
                list(in, "member count", reader -> reader.smallInt("member")),
                PeerText.clean(in.string()),
                new KernelTimes(list(in, "time count", ByteReader::varint)));
    }

    private static int place(ByteReader in) {
        long place = in.zigzag();
        if (place < ExplainedValue.BEFORE || place > ExplainedValue.NEVER) {
            throw new MalformedException("a place is out of range: " + place);
        }
        return (int) place;
    }

    private static <T> void list(ByteWriter out, List<T> all, BiConsumer<ByteWriter, T> each) {
        out.varint(all.size());
        all.forEach(one -> each.accept(out, one));
    }

    private static <T> List<T> list(ByteReader in, String what, Function<ByteReader, T> each) {
        int count = in.count(what, 1);
        List<T> all = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            all.add(each.apply(in));
        }
        return all;
    }
}
