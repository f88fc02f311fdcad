package dev.outpost.protocol.message;

import dev.outpost.explain.ExplainedKernel;
import dev.outpost.explain.ExplainedMemory;
import dev.outpost.explain.ExplainedNode;
import dev.outpost.explain.ExplainedValue;
import dev.outpost.explain.Explanation;
import dev.outpost.explain.KernelTimes;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;

/** The message form of an {@link Explanation}. */
public final class ExplanationMessage {
    private ExplanationMessage() {}

    /** Writes an explanation as a message. */
    public static ExplanationData write(Explanation explanation) {
        ExplainedMemory memory = explanation.memory();
        Explanation.SegmentSize segment = explanation.segment();
        return ExplanationData.newBuilder()
                .setValue(explanation.value())
                .addAllValues(explanation.values().stream()
                        .map(ExplanationMessage::write)
                        .toList())
                .addAllNodes(explanation.nodes().stream()
                        .map(ExplanationMessage::write)
                        .toList())
                .addAllKernels(explanation.kernels().stream()
                        .map(ExplanationMessage::write)
                        .toList())
                .setMemory(ExplanationData.Memory.newBuilder()
                        .setInputBytes(memory.inputBytes())
                        .setPeakBytes(memory.peakBytes())
                        .setPeakAt(memory.peakAt())
                        .setKeptBytes(memory.keptBytes()))
                .setSegment(ExplanationData.Size.newBuilder()
                        .setInstructions(segment.instructions())
                        .setKernels(segment.kernels())
                        .setRuns(segment.runs())
                        .setOmitted(segment.omitted()))
                .build();
    }

    private static ExplanationData.Value write(ExplainedValue value) {
        return ExplanationData.Value.newBuilder()
                .setName(value.name())
                .setDtype(value.type().dtype().code())
                .addAllShape(
                        Arrays.stream(value.type().shape().toArray()).boxed().toList())
                .setComputedBy(value.computedBy())
                .setLastUse(value.lastUse())
                .setStored(value.isStored())
                .build();
    }

    private static ExplanationData.Node write(ExplainedNode node) {
        return ExplanationData.Node.newBuilder()
                .setIndex(node.index())
                .setOp(node.op())
                .addAllOperands(node.operands())
                .addAllResults(node.results())
                .setSource(node.source())
                .build();
    }

    private static ExplanationData.Kernel write(ExplainedKernel kernel) {
        return ExplanationData.Kernel.newBuilder()
                .setPlace(kernel.place())
                .setName(kernel.name())
                .addAllNodes(kernel.nodes())
                .setCode(kernel.code())
                .addAllRecentNanos(kernel.times().recentNanos())
                .build();
    }

    /** Reads a runtime's answer. Throws {@link MalformedException} if it is not a valid explanation. */
    public static Explanation read(ExplanationData data) {
        ExplanationData.Memory memory = data.getMemory();
        ExplanationData.Size segment = data.getSegment();
        return new Explanation(
                PeerText.clean(data.getValue()),
                data.getValuesList().stream().map(ExplanationMessage::read).toList(),
                data.getNodesList().stream().map(ExplanationMessage::read).toList(),
                data.getKernelsList().stream().map(ExplanationMessage::read).toList(),
                new ExplainedMemory(
                        memory.getInputBytes(),
                        memory.getPeakBytes(),
                        place(memory.getPeakAt()),
                        memory.getKeptBytes()),
                new Explanation.SegmentSize(
                        count("instruction count", segment.getInstructions()),
                        count("kernel count", segment.getKernels()),
                        segment.getRuns(),
                        count("omitted count", segment.getOmitted())));
    }

    private static ExplainedValue read(ExplanationData.Value value) {
        return new ExplainedValue(
                PeerText.clean(value.getName()),
                type(value),
                place(value.getComputedBy()),
                place(value.getLastUse()),
                value.getStored());
    }

    private static TensorType type(ExplanationData.Value value) {
        DType dtype = DType.ofCode(value.getDtype());
        long[] sizes = value.getShapeList().stream().mapToLong(Long::longValue).toArray();
        try {
            return new TensorType(dtype, Shape.of(sizes));
        } catch (OpException impossible) {
            throw new MalformedException("a value cannot have that type: " + impossible.getMessage());
        }
    }

    private static ExplainedNode read(ExplanationData.Node node) {
        return new ExplainedNode(
                count("node", node.getIndex()),
                PeerText.clean(node.getOp()),
                clean(node.getOperandsList()),
                clean(node.getResultsList()),
                PeerText.clean(node.getSource()));
    }

    private static ExplainedKernel read(ExplanationData.Kernel kernel) {
        kernel.getNodesList().forEach(member -> count("member", member));
        return new ExplainedKernel(
                count("kernel", kernel.getPlace()),
                PeerText.clean(kernel.getName()),
                kernel.getNodesList(),
                PeerText.clean(kernel.getCode()),
                new KernelTimes(kernel.getRecentNanosList()));
    }

    private static List<String> clean(List<String> texts) {
        return texts.stream().map(PeerText::clean).toList();
    }

    private static int place(int place) {
        if (place < ExplainedValue.BEFORE) {
            throw new MalformedException("a place is out of range: " + place);
        }
        return place;
    }

    private static int count(String what, int count) {
        if (count < 0) {
            throw new MalformedException(what + " is out of range: " + Integer.toUnsignedString(count));
        }
        return count;
    }
}
