package dev.outpost.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.RefusalAssertions;
import dev.outpost.protocol.Trials;
import dev.outpost.protocol.message.ExplanationData;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ExplanationTest {
    private static final TensorType TYPE = new TensorType(DType.FLOAT32, Shape.of(64, 10));

    private static final Explanation SAMPLE = new Explanation(
            "%12",
            List.of(
                    new ExplainedValue("%3", TYPE, ExplainedValue.BEFORE, ExplainedValue.NEVER, true),
                    new ExplainedValue("v1", TYPE, 0, 0, false),
                    new ExplainedValue("v2", TYPE, 0, 1, true),
                    new ExplainedValue("%12", TYPE, 1, ExplainedValue.NEVER, true)),
            List.of(
                    new ExplainedNode(0, "exp", List.of("%3"), List.of("v1"), "Train.java:7"),
                    new ExplainedNode(1, "mul", List.of("v1", "0.5"), List.of("v2"), ""),
                    new ExplainedNode(3, "cumsum[axis=1]", List.of("v2"), List.of("%12"), "")),
            List.of(
                    new ExplainedKernel(
                            0,
                            "exp+mul float32[64,10]",
                            List.of(0, 1),
                            "for each 2048 elements:\n    tile0 = exp(in0)\n    out0 = mul(tile0, in1)\n",
                            new KernelTimes(List.of(12_000L, 9_000L, 10_000L))),
                    new ExplainedKernel(1, "cumsum float32[64,10]", List.of(3), "", new KernelTimes(List.of()))),
            new ExplainedMemory(2560, 7680, 1, 5120),
            new Explanation.SegmentSize(4, 3, 40, 0));

    @Test
    void printsAsPeopleReadIt() {
        assertEquals("""
                %12 float32[64,10]: 3 of the segment's 4 instructions lead to it, in 2 of its 3 kernels, run 40 times

                kernel 0: exp+mul float32[64,10]; last 10.0 us, median of 3: 10.0 us
                  v1 float32[64,10] (never stored) = exp(%3 float32[64,10])  @ Train.java:7
                  v2 float32[64,10] (until kernel 1) = mul(v1, 0.5)
                  | for each 2048 elements:
                  |     tile0 = exp(in0)
                  |     out0 = mul(tile0, in1)

                kernel 1: cumsum float32[64,10]
                  %12 float32[64,10] = cumsum[axis=1](v2)

                memory of the segment: 7680 B at its peak in kernel 1, of that inputs 2560 B; 5120 B when it has run
                """, SAMPLE.toString());
    }

    @Test
    void aProgramPrintsWithTheNamesOfWhatGoesIn() {
        Explanation program = new Explanation(
                "",
                SAMPLE.values(),
                SAMPLE.nodes(),
                List.of(),
                SAMPLE.memory(),
                new Explanation.SegmentSize(9, 2, 1, 5));
        assertEquals("""
                program: 8 of its 9 instructions are computed, in 2 kernels, run once
                the first 5 of them are left out

                memory of the program: 7680 B at its peak in kernel 1, of that inputs 2560 B; 5120 B when it has run
                """, program.toString());
        Explanation renamed = program.renamed(Map.of("%3", "0.weight"));
        assertEquals(List.of("0.weight"), renamed.nodes().getFirst().operands());
        assertEquals(ExplainedValue.BEFORE, renamed.value("0.weight").computedBy());
        assertEquals(List.of("%12"), renamed.nodes().getLast().results());
    }

    @Test
    void comesBackFromItsMessage() {
        assertEquals(SAMPLE, ExplanationMessage.read(ExplanationMessage.write(SAMPLE)));
    }

    @Test
    void impossibleContentIsMalformed() {
        ExplanationData told = ExplanationMessage.write(SAMPLE);
        assertMalformed(
                "a place is out of range: -2",
                told.toBuilder().setMemory(told.getMemory().toBuilder().setPeakAt(-2)));
        assertMalformed(
                "node is out of range: 4294967295",
                told.toBuilder().setNodes(0, told.getNodes(0).toBuilder().setIndex(-1)));
        assertMalformed(
                "dtype code 99 is unknown",
                told.toBuilder().setValues(0, told.getValues(0).toBuilder().setDtype(99)));
        assertMalformed(
                "a value cannot have that type: shape: sizes must not be negative, got [-1]",
                told.toBuilder()
                        .setValues(0, told.getValues(0).toBuilder().clearShape().addShape(-1)));
    }

    private static void assertMalformed(String problem, ExplanationData.Builder told) {
        RefusalAssertions.assertMalformed(problem, () -> ExplanationMessage.read(told.build()));
    }

    @Test
    void textIsClean() {
        ExplanationData told = ExplanationMessage.write(SAMPLE);
        Explanation read = ExplanationMessage.read(told.toBuilder()
                .setNodes(0, told.getNodes(0).toBuilder().setOp("\u001b[2J"))
                .build());
        assertEquals("\ufffd[2J", read.nodes().getFirst().op());
    }

    @Test
    void mutationIsNeverMoreThanMalformed() {
        Trials.repeat(5_000, 1, random -> {
            byte[] bytes = ExplanationMessage.write(SAMPLE).toByteArray();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                ExplanationMessage.read(Protobuf.parse(ExplanationData.parser(), bytes, "an explanation"));
            } catch (MalformedException expected) {
                // Malformed bytes are expected to cause this.
            }
        });
    }
}
