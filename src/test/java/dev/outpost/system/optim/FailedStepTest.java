package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.optim.ParameterState;
import dev.outpost.optim.SGD;
import dev.outpost.protocol.message.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step whose gradient failed changes nothing and is reported once, and the next good step continues as if it had not happened. */
class FailedStepTest {
    private static final String LABEL = "cross_entropy: label 12 is out of range for 10 classes";

    private RemoteMachine machine;
    private Module model;
    private Optimizer optimizer;
    private Tensor images;
    private Tensor good;
    private Tensor bad;
    private int told;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100", new MachineOptions()).manualSeed(1);
        model = new Sequential(new Linear(6, 8), new ReLU(), new Linear(8, 10)).to(machine);
        optimizer = new Adam(model.parameters(), 0.01);
        images = machine.randn(4, 6);
        good = machine.tensor(new long[] {1, 2, 3, 9});
        bad = machine.tensor(new long[] {1, 12, 3, 9});
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private Tensor loss(Tensor labels) {
        optimizer.zeroGrad();
        Tensor loss = Functional.crossEntropy(model.forward(images), labels);
        loss.backward();
        return loss;
    }

    private Tensor step(Tensor labels) {
        Tensor loss = loss(labels);
        optimizer.step();
        return loss;
    }

    /** A step that fails, and returns its loss; it reports the failure itself if the machine is fast. */
    private Tensor failingStep() {
        Tensor loss = loss(bad);
        attempt(optimizer::step);
        return loss;
    }

    /** Counts the reports of the failure. */
    private void attempt(Runnable call) {
        try {
            call.run();
        } catch (RemoteException failure) {
            assertTrue(failure.getMessage().startsWith(LABEL), failure.getMessage());
            told++;
        }
    }

    private void scopedStep(Tensor labels) {
        try (var scope = machine.scope()) {
            step(labels);
        }
    }

    private record State(SequencedMap<String, HostTensor> model, SequencedMap<String, HostTensor> optimizer) {}

    private State state() {
        return new State(model.stateDict(), optimizer.stateDict());
    }

    private static void assertSame(State expected, State actual) {
        assertSame(expected.model, actual.model);
        assertSame(expected.optimizer, actual.optimizer);
    }

    private static void assertSame(Map<String, HostTensor> expected, Map<String, HostTensor> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((name, value) ->
                assertArrayEquals(value.bytes(), actual.get(name).bytes(), name));
    }

    /** Checks that the failure has been reported, and only once. */
    private void assertToldByStep() {
        optimizer.zeroGrad();
        attempt(optimizer::step);
        assertEquals(1, told);
        assertDoesNotThrow(optimizer::step);
        assertDoesNotThrow(machine::synchronize);
    }

    /** Throws in an update, after it has changed the parameter. */
    private static final class Throwing extends Optimizer {
        private final List<Long> steps = new ArrayList<>();
        private boolean isThrowing;

        private Throwing(Module model) {
            super(model.parameters(), 1, 0);
        }

        @Override
        protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
            state.number("step", step -> {
                steps.add(step);
                return step;
            });
            parameter.mul_(2);
            if (isThrowing) {
                throw new IllegalStateException("stop");
            }
        }
    }

    @Test
    void aStepWhoseUpdateThrowsIsNotCounted() {
        Module line = new Linear(6, 1, false).to(machine);
        Throwing throwing = new Throwing(line);
        line.call(images).sum().backward();
        throwing.step();
        Map<String, HostTensor> before = line.stateDict();
        throwing.isThrowing = true;
        assertThrows(IllegalStateException.class, throwing::step);
        assertSame(before, line.stateDict());
        throwing.isThrowing = false;
        throwing.step();
        assertEquals(List.of(1L, 2L, 2L), throwing.steps);
    }

    @Test
    void changesNoParameterMomentOrStepCount() {
        step(good);
        State before = state();
        failingStep();
        assertSame(before.model, model.stateDict());
        assertToldByStep();
        assertSame(before, state());
    }

    @Test
    void goesOnAsIfItHadNotBeen() {
        step(good);
        try (Tensor failed = failingStep()) {
            assertThrows(RemoteException.class, failed::item);
        }
        optimizer.zeroGrad();
        optimizer.step();
        step(good);
        State with = state();
        machine.manualSeed(1);
        model = new Sequential(new Linear(6, 8), new ReLU(), new Linear(8, 10)).to(machine);
        optimizer = new Adam(model.parameters(), 0.01);
        step(good);
        step(good);
        assertSame(state(), with);
    }

    @Test
    void failureIsReportedOnceByTheReadOfItsLoss() {
        Tensor loss = failingStep();
        RemoteException read = assertThrows(RemoteException.class, loss::item);
        assertTrue(read.getMessage().startsWith(LABEL), read.getMessage());
        assertDoesNotThrow(() -> step(good).item());
        assertDoesNotThrow(machine::synchronize);
    }

    @Test
    void failureIsReportedByTheReadOfAGradient() {
        failingStep();
        Tensor gradient = model.parameters().getFirst().grad();
        assertThrows(RemoteException.class, gradient::toFloatArray);
        assertDoesNotThrow(() -> step(good).item());
    }

    @Test
    void failureIsReportedByTheNextStepWhereNothingIsRead() {
        failingStep();
        attempt(() -> step(good));
        assertEquals(1, told);
        assertDoesNotThrow(() -> step(good));
        assertDoesNotThrow(machine::synchronize);
        assertEquals(2L, steps());
    }

    @Test
    void failureIsReportedByTheNextStepInScopes() {
        scopedStep(good);
        scopedStep(bad);
        RemoteException told = assertThrows(RemoteException.class, () -> scopedStep(good));
        assertTrue(told.getMessage().startsWith(LABEL), told.getMessage());
        assertDoesNotThrow(() -> scopedStep(good));
        assertDoesNotThrow(machine::synchronize);
        assertEquals(3L, steps());
    }

    @Test
    void failureIsTheSameInScopes() {
        scopedStep(good);
        State before = state();
        attempt(() -> scopedStep(bad));
        assertSame(before.model, model.stateDict());
        assertToldByStep();
        assertSame(before, state());
    }

    @Test
    void failureIsTheSameInAProgram() {
        Program program = machine.program(inputs -> List.of(step(inputs.getFirst())));
        program.call(good);
        State before = state();
        attempt(() -> program.call(bad));
        assertSame(before.model, model.stateDict());
        attempt(() -> program.call(good));
        assertEquals(1, told);
        // The call that reported it has run; counts are those of two good steps.
        assertEquals(2L, steps());
        assertDoesNotThrow(() -> program.call(good).getFirst().item());
    }

    @Test
    void failureIsTheSameInAScan() {
        Tensor labels = machine.tensor(new long[] {1, 2, 3, 9, 1, 12, 3, 9, 1, 2, 3, 9}, 3, 4);
        Program program = machine.program(inputs -> {
            Tensor row = labels.indexSelect(0, inputs.getLast().view(1)).view(4);
            return List.of(inputs.getFirst().add(1), step(row));
        });
        Tensor count = machine.zeros();
        var scan = machine.scan(program, List.of(count), 3);
        var emitted = scan.emissions().iterator();
        emitted.next();
        RemoteException told = assertThrows(RemoteException.class, emitted::next);
        assertTrue(told.getMessage().startsWith(LABEL), told.getMessage());
        emitted.next();
        assertEquals(3.0, scan.carry().getFirst().itemDouble());
        assertEquals(2L, steps());
        assertDoesNotThrow(machine::synchronize);
    }

    @Test
    void aStepThatIsNotReadIsReportedBySynchronizeOrClose() {
        failingStep();
        attempt(machine::synchronize);
        assertEquals(1, told);
        assertDoesNotThrow(machine::synchronize);
    }

    @Test
    void eachOfSeveralStepsThatFailIsReported() {
        for (int failed = 1; failed <= 3; failed++) {
            failingStep();
            attempt(machine::synchronize);
            assertEquals(failed, told);
        }
        assertDoesNotThrow(machine::synchronize);
        assertEquals(0L, steps());
    }

    @Test
    void oneLabelIsOneFailureForForwardAndBackward() {
        optimizer.zeroGrad();
        Tensor loss = Functional.crossEntropy(model.forward(images), bad);
        assertThrows(RemoteException.class, loss::item);
        loss.backward();
        assertDoesNotThrow(optimizer::step);
        assertDoesNotThrow(machine::synchronize);
        assertEquals(0L, steps());
    }

    @Test
    void aRowOutOfRangeNamesItsLayer() {
        var embedding = new Embedding(5, 6);
        var both = new Sequential(embedding, new Linear(6, 10)).to(machine);
        Tensor failed = both.forward(machine.tensor(new long[] {1, 7}));
        RemoteException told = assertThrows(RemoteException.class, failed::toFloatArray);
        assertTrue(
                told.getMessage().startsWith("embedding: index 7 is out of range for 5 rows, in layer 0"),
                told.getMessage());
    }

    @Test
    void closeTellsWhatNobodyReadAndNeverHidesTheBody() {
        IllegalStateException body = assertThrows(IllegalStateException.class, () -> {
            try (RemoteMachine other = RemoteMachine.of("mock", "A100").awaitReady()) {
                other.ones(3).indexSelect(0, other.tensor(new long[] {7}));
                throw new IllegalStateException("the body's own");
            }
        });
        assertEquals("the body's own", body.getMessage());
        assertEquals(1, body.getSuppressed().length);
        assertTrue(
                body.getSuppressed()[0].getMessage().startsWith("index_select: "), body.getSuppressed()[0].toString());
    }

    @Test
    void closeDoesNotRepeatWhatTheBodyThrew() {
        RemoteException body = assertThrows(RemoteException.class, () -> {
            try (RemoteMachine other = RemoteMachine.of("mock", "A100").awaitReady()) {
                other.ones(3).indexSelect(0, other.tensor(new long[] {7})).item();
            }
        });
        assertEquals(0, body.getSuppressed().length);
    }

    @Test
    void aPlainOptimizerKeepsItsParametersToo() {
        optimizer = new SGD(model.parameters(), 0.1);
        State before = state();
        failingStep();
        assertSame(before.model, model.stateDict());
        assertToldByStep();
    }

    @Test
    void anUpdateThatThrowsInJavaLeavesTheStatesAsTheyWere() {
        loss(good);
        State before = state();
        Optimizer broken = new Optimizer(model.parameters(), 0.1, 0) {
            private int updates;

            @Override
            protected void update(
                    dev.outpost.optim.ParameterGroup group,
                    dev.outpost.optim.ParameterState state,
                    Tensor parameter,
                    Tensor gradient) {
                parameter.sub_(gradient);
                if (++updates == 2) {
                    throw new IllegalStateException("broken");
                }
            }
        };
        assertThrows(IllegalStateException.class, broken::step);
        assertSame(before.model, model.stateDict());
    }

    private long steps() {
        return optimizer.stateDict().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("step"))
                .findFirst()
                .orElseThrow()
                .getValue()
                .toLongArray()[0];
    }
}
