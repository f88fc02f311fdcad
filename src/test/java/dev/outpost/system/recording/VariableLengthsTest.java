package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.LSTM;
import dev.outpost.nn.Sequences;
import dev.outpost.stats.MachineStats;
import dev.outpost.support.tests.PlainNames;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that a loop whose batches always have new lengths gets a hint, and that a loop that pads them to a few lengths repeats its
 * segments.
 */
@Tag("quick")
class VariableLengthsTest {
    private static final int STEPS = 20;

    private static MachineStats train(LongUnaryOperator padded) {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            LSTM lstm = new LSTM(3, 4);
            lstm.to(machine);
            for (int step = 0; step < STEPS; step++) {
                long length = 5 + step;
                try (var scope = machine.scope()) {
                    Tensor batch = machine.ones(padded.applyAsLong(length), 2, 3);
                    Tensor out = lstm.forward(batch);
                    out.narrow(0, 0, 1).sum().item();
                }
            }
            return machine.stats();
        }
    }

    @Test
    void everNewStructuresAreHintedAtOnceWithPlaceAndRemedy() {
        String hint = train(length -> length).hint();
        assertTrue(
                PlainNames.in(hint)
                        .startsWith("mock-A100: the last 16 segments that ended at VariableLengthsTest.java:"),
                hint);
        assertTrue(hint.contains("pad them to a few sizes"), hint);
    }

    @Test
    void paddingToAFewLengthsRepeatsSegments() {
        MachineStats stats = train(length -> Math.ceilDiv(length, 8) * 8);
        assertEquals("", stats.hint());
        assertTrue(stats.repeatedSegments() > STEPS / 2, stats::toString);
    }

    @Test
    void packedSequencesOfNewLengthsAreHintedAt() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            LSTM lstm = new LSTM(3, 4);
            lstm.to(machine);
            for (int step = 0; step < STEPS; step++) {
                try (var scope = machine.scope()) {
                    Tensor padded = machine.ones(25, 2, 3);
                    lstm.forward(Sequences.packPaddedSequence(padded, 5 + step, 3), null, null)
                            .output()
                            .data()
                            .sum()
                            .item();
                }
            }
            assertTrue(machine.stats().hint().contains("VariableLengthsTest.java:"), machine.stats()::hint);
        }
    }

    @Test
    void stepsOfOneStructureGetNoHint() {
        assertEquals("", train(length -> 8).hint());
    }
}
