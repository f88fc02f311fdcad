package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.EmitMode;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests scans whose emissions stay on the machine, one row per run. */
@Tag("quick")
class StackedScanTest {
    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", "cpu"));
    }

    @AfterEach
    void end() {
        machine.close();
    }

    /** The carried value doubles; emitted are the previous sum, whether it is large, and the run. */
    private Program doubling() {
        return machine.program(in -> {
            Tensor x = in.getFirst();
            return List.of(x.mul(2), x.sum(), x.gt(4), in.getLast());
        });
    }

    private Program counting() {
        return machine.program(in -> {
            Tensor next = in.getFirst().add(1);
            return List.of(next, next.ge(5), next.mul(10));
        });
    }

    @Test
    void eachEmissionIsARow() {
        Tensor start = machine.tensor(new float[] {1, 2});
        Scan scan = machine.scan(doubling(), List.of(start), 4, EmitMode.STACK);
        List<Tensor> rows = scan.stacked();
        assertEquals(Shape.of(4), rows.get(0).shape());
        assertEquals(Shape.of(4, 2), rows.get(1).shape());
        assertEquals(0, machine.stats().waits(), "shapes are known before it runs");
        assertArrayEquals(new float[] {3, 6, 12, 24}, rows.get(0).toFloatArray());
        assertArrayEquals(
                new long[] {0, 0, 0, 0, 0, 1, 1, 1}, rows.get(1).to(DType.INT64).toLongArray());
        assertArrayEquals(new long[] {0, 1, 2, 3}, rows.get(2).toLongArray());
        assertArrayEquals(new float[] {16, 32}, scan.carry().getFirst().toFloatArray());
        assertSame(rows, scan.stacked());
        assertArrayEquals(new float[] {1, 2}, start.toFloatArray());
    }

    /** A stack has the same bits as emissions that are sent to the client. */
    @Test
    void aStackIsWhatWouldHaveComeHome() {
        Program emitting = machine.program(in -> {
            Tensor next = in.getFirst().sin().add(machine.randn(3));
            return List.of(next, next);
        });
        Tensor start = machine.ones(3);
        machine.manualSeed(5);
        Scan stacked = machine.scan(emitting, List.of(start), 50, EmitMode.STACK);
        machine.manualSeed(5);
        int run = 0;
        for (var row : machine.scan(emitting, List.of(start), 50).emissions()) {
            for (int place = 0; place < 3; place++) {
                assertEquals(
                        row.getFirst().getDouble(place),
                        stacked.stacked()
                                .getFirst()
                                .select(0, run)
                                .select(0, place)
                                .itemDouble());
            }
            run++;
        }
        assertEquals(50, run);
        assertEquals(2, emitting.traces());
    }

    @Test
    void anotherNumberOfRunsHasAnotherShape() {
        Program program = doubling();
        for (long runs : new long[] {2, 3, 2}) {
            Scan scan = machine.scan(program, List.of(machine.tensor(new float[] {1, 2})), runs, EmitMode.STACK);
            assertArrayEquals(
                    LongStream.range(0, runs).toArray(),
                    scan.stacked().getLast().toLongArray());
        }
        assertEquals(2, program.traces());
    }

    @Test
    void aConditionLeavesTheRowsThatWereRun() {
        Scan scan = machine.scanUntil(counting(), List.of(machine.scalar(0)), 1000, EmitMode.STACK);
        assertArrayEquals(
                new long[] {10, 20, 30, 40, 50}, scan.stacked().getFirst().toLongArray());
        assertEquals(5, scan.iterations());
        Scan cut = machine.scanUntil(counting(), List.of(machine.scalar(0)), 3, EmitMode.STACK);
        assertArrayEquals(new long[] {10, 20, 30}, cut.stacked().getFirst().toLongArray());
    }

    @Test
    void aScanThatIsCancelledLeavesTheRowsThatWereRun() throws Exception {
        Scan scan = machine.scan(machine.program(in -> List.of(in.getLast())), List.of(), 1 << 22, EmitMode.STACK);
        scan.cancel();
        Tensor rows = Await.within("the rows come", () -> scan.stacked().getFirst());
        assertEquals(scan.iterations(), rows.numel());
        assertTrue(rows.numel() < 1 << 22, () -> "it ran all " + rows.numel());
        assertEquals(rows.numel() - 1, rows.select(0, -1).itemLong());
    }

    /** Each run writes its row in place: the stack is not copied from run to run. */
    @Test
    void theStackIsWrittenInPlace() {
        Program program = machine.program(in -> List.of(in.getFirst().add(1), in.getFirst()));
        Scan scan = machine.scan(program, List.of(machine.zeros(1000)), 100, EmitMode.STACK);
        scan.stacked().getFirst().select(0, 99).sum().item();
        var memory = program.explain().memory();
        long stack = 100L * 1000 * 4;
        assertTrue(memory.peakBytes() < stack + 20_000, () -> memory.toString());
    }

    /** The write of the previous run is visible, whatever else the program writes. */
    @Test
    void writtenStateIsCarriedBesideStackedOutputs() {
        Tensor total = machine.zeros(2).named("total");
        Program program = machine.program(in -> {
            total.add_(1);
            return List.of(total);
        });
        Scan scan = machine.scan(program, List.of(), 3, EmitMode.STACK);
        assertArrayEquals(
                new float[] {1, 1, 2, 2, 3, 3},
                scan.stacked().getFirst().flatten().toFloatArray());
        assertArrayEquals(new float[] {3, 3}, total.toFloatArray());
    }

    @Test
    void aLostRunTakesTheRowsWithIt() {
        Tensor table = machine.tensor(new long[] {5, 6, 7});
        Program program =
                machine.program(in -> List.of(table.indexSelect(0, in.getLast().reshape(1))));
        Scan scan = machine.scan(program, List.of(), 5, EmitMode.STACK);
        String message = assertThrows(
                        OutpostException.class, () -> scan.stacked().getFirst().toLongArray())
                .getMessage();
        assertTrue(message.contains("in iteration 3"), message);
        assertThrows(OutpostException.class, machine::close, "of the run behind it nobody has heard");
    }

    @Test
    void eachWayHasItsOwnQuestion() {
        Scan stacked = machine.scan(doubling(), List.of(machine.ones(2)), 2, EmitMode.STACK);
        assertEquals(
                "scan: what it emits stays on the machine, as asked by EmitMode.STACK; take stacked()",
                assertThrows(OutpostException.class, stacked::emissions).getMessage());
        Scan streamed = machine.scan(doubling(), List.of(machine.ones(2)), 2);
        assertEquals(
                "scan: what it emits is sent home; ask for EmitMode.STACK to have it on the machine",
                assertThrows(OutpostException.class, streamed::stacked).getMessage());
        Program nothing = machine.program(in -> List.of(in.getFirst()));
        assertEquals(
                List.of(),
                machine.scan(nothing, List.of(machine.ones(2)), 2, EmitMode.STACK)
                        .stacked());
    }

    /** More rows than fit on a machine are refused, and the rest continues. */
    @Test
    void aStackThatIsTooLargeIsRefused() {
        try (RemoteMachine small = RemoteMachine.of("mock", "A100")) {
            Tensor start = small.zeros(1 << 22);
            Program program = small.program(in -> List.of(in.getFirst(), in.getFirst()));
            var refused = assertThrows(
                    OutpostException.class,
                    () -> small.scan(program, List.of(start), 1 << 10, EmitMode.STACK)
                            .stacked()
                            .getFirst()
                            .select(0, 0)
                            .select(0, 0)
                            .item());
            assertEquals(FaultKind.RESOURCES, refused.kind(), refused::getMessage);
            assertEquals(0, start.sum().itemDouble());
        }
    }

    @Test
    void closingEverythingFreesEverything() {
        for (EmitMode mode : EmitMode.values()) {
            try (Tensor start = machine.scalar(0)) {
                Scan scan = machine.scanUntil(counting(), List.of(start), 100, mode);
                if (mode == EmitMode.STACK) {
                    scan.stacked().forEach(Tensor::close);
                } else {
                    scan.emissions().forEach(row -> assertEquals(1, row.size()));
                }
                scan.carry().forEach(Tensor::close);
            }
        }
        // Progress is reported for segments, so this sends a segment after the earlier frees.
        machine.zeros(1).close();
        machine.synchronize();
        assertEquals(0, machine.heldValues());
        assertEquals(0, machine.stats().liveValues());
    }
}
