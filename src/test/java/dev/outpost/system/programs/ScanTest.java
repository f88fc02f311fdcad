package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.ops.DivMode;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests programs that the machine runs repeatedly by itself. */
@Tag("quick")
class ScanTest {

    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private static String message(Runnable refused) {
        return assertThrows(OutpostException.class, refused::run).getMessage();
    }

    private static List<Long> longs(Scan scan) {
        List<Long> values = new ArrayList<>();
        for (List<HostTensor> emitted : scan.emissions()) {
            values.add(emitted.getFirst().getLong(0));
        }
        return values;
    }

    /** 0 + 1 + … + 9, and each partial sum. */
    private Program sums() {
        return machine.program(in -> {
            Tensor sum = in.get(0).add(in.get(1));
            return List.of(sum, sum);
        });
    }

    @Test
    void carriedValuesGoFromRunToRun() {
        Tensor start = machine.scalar(100);
        Scan scan = machine.scan(sums(), List.of(start), 10);
        assertEquals(145, scan.carry().getFirst().itemLong());
        assertEquals(List.of(100L, 101L, 103L, 106L, 110L, 115L, 121L, 128L, 136L, 145L), longs(scan));
        assertEquals(10, scan.iterations());
        assertEquals(10, scan.progress());
        assertEquals(100, start.itemLong());
        assertThrows(OutpostException.class, () -> scan.emissions().iterator());
    }

    @Test
    void carriedValuesMaySwapOrStay() {
        Program fibonacci = machine.program(in -> List.of(in.get(1), in.get(0).add(in.get(1)), in.get(2), in.get(3)));
        Scan scan = machine.scan(fibonacci, List.of(machine.scalar(0), machine.scalar(1), machine.scalar(7)), 10);
        assertEquals(55, scan.carry().get(0).itemLong());
        assertEquals(89, scan.carry().get(1).itemLong());
        assertEquals(7, scan.carry().get(2).itemLong());
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), longs(scan));
        Program swap = machine.program(in -> List.of(in.get(1), in.get(0)));
        List<Tensor> swapped = machine.scan(swap, List.of(machine.scalar(3), machine.scalar(4)), 3)
                .carry();
        assertEquals(4, swapped.get(0).itemLong());
        assertEquals(3, swapped.get(1).itemLong());
    }

    @Test
    void aConditionEndsIt() {
        Program collatz = machine.program(in -> {
            Tensor n = in.getFirst();
            Tensor next =
                    n.div(2, DivMode.FLOOR).where(n.remainder(2).eq(0), n.mul(3).add(1));
            return List.of(next, next.eq(1), next);
        });
        Scan scan = machine.scanUntil(collatz, List.of(machine.scalar(6)), 1000);
        assertEquals(List.of(3L, 10L, 5L, 16L, 8L, 4L, 2L, 1L), longs(scan));
        assertEquals(8, scan.iterations());
        assertEquals(1, scan.carry().getFirst().itemLong());
        assertEquals(
                3, machine.scanUntil(collatz, List.of(machine.scalar(6)), 3).iterations());
    }

    @Test
    void writtenStateIsCarried() {
        Tensor total = machine.zeros(2).named("total");
        Tensor last = machine.zeros(2);
        Program program = machine.program(in -> {
            total.add_(in.getFirst());
            last.copy_(total.mul(2));
            return List.of();
        });
        machine.scan(program, List.of(), 5);
        assertArrayEquals(new float[] {10, 10}, total.toFloatArray());
        assertArrayEquals(new float[] {20, 20}, last.toFloatArray());
        total.zero_();
        machine.scan(program, List.of(), 3);
        assertArrayEquals(new float[] {3, 3}, total.toFloatArray());
        assertEquals(1, program.traces());
    }

    @Test
    void randomNumbersGoOnFromRunToRun() {
        Program program = machine.program(in -> List.of(machine.randint(0, 1000, 1), machine.randint(0, 1000, 1)));
        machine.manualSeed(4);
        List<Long> plain = new ArrayList<>();
        for (int draw = 0; draw < 22; draw++) {
            plain.add(machine.randint(0, 1000, 1).itemLong());
        }
        machine.manualSeed(4);
        List<Long> scanned = new ArrayList<>();
        for (List<HostTensor> pair : machine.scan(program, List.of(), 10).emissions()) {
            pair.forEach(value -> scanned.add(value.getLong(0)));
        }
        program.call().forEach(value -> scanned.add(value.itemLong()));
        assertEquals(plain, scanned);
    }

    /** Two epochs over data on the machine, as separate programs and as loops. */
    @Test
    void anEpochIsAScan() {
        Tensor data = machine.arange(0, 60, 1, DType.FLOAT32).sin().reshape(15, 4);
        Tensor labels = machine.arange(15).remainder(3);
        List<List<float[]>> states = new ArrayList<>();
        List<List<Double>> losses = new ArrayList<>();
        for (boolean isScan : new boolean[] {false, true}) {
            machine.manualSeed(1);
            Linear model = new Linear(4, 3);
            model.to(machine);
            AdamW optimizer = new AdamW(model.parameters(), 0.05);
            Program step = machine.program(in -> {
                Tensor rows = machine.arange(3).add(in.getLast().mul(3));
                optimizer.zeroGrad();
                Tensor loss =
                        Functional.crossEntropy(model.forward(data.indexSelect(0, rows)), labels.indexSelect(0, rows));
                loss.backward();
                optimizer.step();
                return List.of(loss);
            });
            List<Double> seen = new ArrayList<>();
            for (int epoch = 0; epoch < 2; epoch++) {
                if (isScan) {
                    machine.scan(step, List.of(), 5)
                            .emissions()
                            .forEach(loss -> seen.add(loss.getFirst().getDouble(0)));
                } else {
                    for (long batch = 0; batch < 5; batch++) {
                        seen.add(step.call(machine.scalar(batch)).getFirst().itemDouble());
                    }
                }
                optimizer.learningRate(0.01);
            }
            losses.add(seen);
            List<float[]> state = new ArrayList<>();
            model.stateDict().values().forEach(value -> state.add(value.toFloatArray()));
            optimizer.stateDict().values().forEach(value -> state.add(value.toFloatArray()));
            states.add(state);
        }
        assertEquals(losses.get(0), losses.get(1));
        for (int index = 0; index < states.get(0).size(); index++) {
            assertArrayEquals(states.get(0).get(index), states.get(1).get(index), "state " + index);
        }
    }

    /** The number of steps is known after the scan, and is waited for only then. */
    @Test
    void stepsThatAConditionDecidesAreCounted() {
        Linear model = new Linear(1, 1);
        model.to(machine);
        Adam optimizer = new Adam(model.parameters(), 0.1);
        Program step = machine.program(in -> {
            optimizer.zeroGrad();
            Tensor loss = model.forward(machine.ones(1, 1)).square().sum();
            loss.backward();
            optimizer.step();
            return List.of(in.getLast().eq(3));
        });
        assertEquals(4, machine.scanUntil(step, List.of(), 100).iterations());
        assertEquals(4, optimizer.stateDict().get("state.0.step").getLong(0));
        machine.scanUntil(step, List.of(), 100);
        assertEquals(8, optimizer.stateDict().get("state.0.step").getLong(0));
    }

    @Test
    void aFaultNamesItsRunAndTheScanGoesOn() {
        Tensor table = machine.tensor(new long[] {5, 6, 7});
        Program program = machine.program(
                in -> List.of(in.get(0).add(1), table.indexSelect(0, in.get(1).reshape(1))));
        Scan scan = machine.scan(program, List.of(machine.scalar(0)), 5);
        Iterator<List<HostTensor>> emissions = scan.emissions().iterator();
        for (long expected = 5; expected <= 7; expected++) {
            assertEquals(expected, emissions.next().getFirst().getLong(0));
        }
        for (int run = 3; run < 5; run++) {
            RemoteException fault = assertThrows(RemoteException.class, emissions::next);
            assertTrue(fault.getMessage().contains("in iteration " + run), fault::getMessage);
        }
        assertFalse(emissions.hasNext());
        assertEquals(5, scan.carry().getFirst().itemLong());
    }

    @Test
    void aScanWhoseConditionIsLostEnds() {
        Tensor table = machine.tensor(new boolean[] {false, false});
        Program program = machine.program(
                in -> List.of(table.indexSelect(0, in.getFirst().reshape(1)).reshape()));
        Scan scan = machine.scanUntil(program, List.of(), 1_000_000);
        assertEquals(3, scan.iterations());
        assertThrows(RemoteException.class, machine::close);
    }

    /** Its emissions are never taken, but a reader of later values does not wait forever. */
    @Test
    void readDoesNotWaitForUntakenEmissions() throws Exception {
        Scan scan = machine.scan(sums(), List.of(machine.scalar(0)), 5000);
        long expected = 5000L * 4999 / 2;
        assertEquals(expected, (long)
                Await.within("the carry comes", () -> scan.carry().getFirst().itemLong()));
        List<Long> sums = longs(scan);
        assertEquals(5000, sums.size());
        assertEquals(expected, sums.getLast());
    }

    /** The machine runs ahead of the reader of its emissions only by a limited number of runs. */
    @Test
    void aSlowReaderHoldsItBack() throws InterruptedException {
        Scan scan = machine.scan(sums(), List.of(machine.scalar(0)), 100_000);
        Iterator<List<HostTensor>> emissions = scan.emissions().iterator();
        emissions.next();
        long before = -1;
        while (before != scan.progress()) {
            before = scan.progress();
            Thread.sleep(100);
        }
        assertTrue(before <= 1100, () -> "the scan went to run " + scan.progress());
        scan.cancel();
        assertTrue(scan.iterations() <= 1100);
    }

    @Test
    void aScanThatIsCancelledLeavesWhatItsLastRunLeft() throws Exception {
        Tensor total = machine.tensor(new long[] {0});
        Program program = machine.program(in -> {
            total.add_(1);
            return List.of(in.getFirst().add(1));
        });
        Scan scan = machine.scan(program, List.of(machine.scalar(0)), 1L << 30);
        scan.cancel();
        long runs = Await.within("the scan ends", scan::iterations);
        assertTrue(runs < 1L << 30);
        assertEquals(runs, scan.carry().getFirst().itemLong());
        assertEquals(runs, total.itemLong());
    }

    @Test
    void closingTheMachineEndsIt() throws Exception {
        RemoteMachine own = RemoteMachine.of("mock", "A100");
        Program program = own.program(in -> List.of(in.getFirst().add(1)));
        own.scan(program, List.of(own.scalar(0)), 1L << 30);
        Await.within("the machine is closed", own::close);
    }

    @Test
    void largeEmissionsComeWhole() {
        Program program = machine.program(in ->
                List.of(machine.arange(20_000).add(in.getFirst()), in.getFirst().mul(2)));
        int run = 0;
        for (List<HostTensor> emitted : machine.scan(program, List.of(), 40).emissions()) {
            assertEquals(20_000, emitted.getFirst().shape().elements());
            assertEquals(run, emitted.getFirst().getLong(0));
            assertEquals(19_999 + run, emitted.getFirst().getLong(19_999));
            assertEquals(2 * run, emitted.getLast().getLong(0));
            run++;
        }
        assertEquals(40, run);
    }

    @Test
    void unsuitableFunctionsAreRefused() {
        Program grows = machine.program(in -> List.of(in.getFirst().repeat(2)));
        assertTrue(message(() -> machine.scan(grows, List.of(machine.zeros(2)), 3))
                .startsWith("scan: what is carried keeps its type, got float32[4] for float32[2] at 0"));
        Program nothing = machine.program(in -> List.of());
        assertTrue(message(() -> machine.scan(nothing, List.of(machine.zeros(2)), 3))
                .startsWith("scan: the function must answer what is carried, got 0 tensors and 1"));
        Program number = machine.program(in -> List.of(in.getFirst()));
        assertTrue(message(() -> machine.scanUntil(number, List.of(), 3))
                .startsWith("scan: the condition must be bool[], got int64[]"));
        assertEquals("scan: at least one run is needed, got 0", message(() -> machine.scan(number, List.of(), 0)));
        Tensor weight = machine.zeros(2).requiresGrad(true);
        Program accumulates = machine.program(in -> {
            weight.sum().backward();
            return List.of();
        });
        assertTrue(message(() -> machine.scan(accumulates, List.of(), 3))
                .startsWith("scan: each run must find what the one before found, but the gradient of tensor float32[2]"
                        + " is there in only one of two; drop it in the run, by zeroGrad"));
        Program inside =
                machine.program(in -> machine.scan(number, List.of(), 3).carry());
        assertTrue(message(inside::call).startsWith("scan: a program cannot scan another"));
    }

    @Test
    void closingEverythingFreesEverything() {
        Program program = sums();
        for (int time = 0; time < 3; time++) {
            try (Tensor start = machine.scalar(0)) {
                Scan scan = machine.scan(program, List.of(start), 20);
                longs(scan);
                scan.carry().forEach(Tensor::close);
            }
        }
        // Progress is reported for segments, so this sends a segment after the earlier frees.
        machine.zeros(1).close();
        machine.synchronize();
        assertEquals(0, machine.heldValues());
        assertEquals(0, machine.stats().liveValues());
        assertEquals(0, machine.stats().liveBytes());
    }
}
