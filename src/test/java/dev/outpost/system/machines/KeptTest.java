package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another client continues with the values that have names. Here both are in this JVM, and the first is not closed. */
class KeptTest {
    @TempDir
    Path folder;

    private static RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100");
    }

    private static void abandon(RemoteMachine fenced) {
        assertThrows(OutpostException.class, fenced::close);
    }

    @Test
    void theNextClientHasTheValuesOfTheLastCompleteSegment() {
        RemoteMachine first = machine();
        Tensor weights = first.ones(3, 4);
        first.keep("weights", weights);
        first.keep("transposed", weights.t());
        String key = first.sessionKey();
        weights.mul_(3);
        first.endStep();
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            assertEquals(Set.of("weights", "transposed"), next.kept().keySet());
            assertEquals(36.0, next.kept("weights").sum().itemDouble());
            assertEquals(List.of(4L, 3L), sizes(next.kept("transposed")));
            next.kept("weights").add_(1);
            assertEquals(48.0, next.kept("transposed").sum().itemDouble(), "the views share their elements");
            OutpostException fenced =
                    assertThrows(OutpostException.class, () -> weights.sum().itemDouble());
            assertTrue(
                    fenced.getMessage()
                            .endsWith("another process has attached to the session and continues with its values"),
                    fenced::getMessage);
            fenced = assertThrows(
                    OutpostException.class, () -> first.ones(1).sum().itemDouble());
            assertTrue(fenced.getMessage().contains("another process has attached"), fenced::getMessage);
            first.close();
            assertEquals(48.0, next.kept("weights").sum().itemDouble(), "the first client has not ended the machine");
        }
    }

    private static List<Long> sizes(Tensor tensor) {
        List<Long> sizes = new ArrayList<>();
        for (int dimension = 0; dimension < tensor.shape().rank(); dimension++) {
            sizes.add(tensor.shape().size(dimension));
        }
        return sizes;
    }

    @Test
    void aTrainingContinuesWithTheSameBits() {
        float[] expected;
        try (RemoteMachine machine = machine()) {
            Training whole = new Training(machine);
            whole.steps(6);
            expected = whole.weights();
        }
        RemoteMachine first = machine();
        Training before = new Training(first);
        before.steps(1);
        first.keep("model", before.state());
        String key = first.sessionKey();
        before.steps(2);
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            Training after = new Training(next, next.keptState("model"));
            after.steps(3);
            assertArrayEquals(expected, after.weights());
            abandon(first);
        }
    }

    /** Steps that draw random numbers. */
    private static final class Training {
        private final RemoteMachine machine;
        private final Linear model;
        private final SGD optimizer;

        Training(RemoteMachine machine) {
            this.machine = machine;
            this.model = onMachine(machine);
            this.optimizer = new SGD(model.parameters(), 0.1);
        }

        /** Continues with the values of another client. The random numbers that the constructor draws do not count. */
        Training(RemoteMachine machine, Map<String, Tensor> state) {
            this.machine = machine;
            Generator.State position = machine.randomState();
            this.model = onMachine(machine);
            this.optimizer = new SGD(model.parameters(), 0.1);
            GradMode.noGrad(() -> state().forEach((name, tensor) -> tensor.copy_(state.get(name))));
            machine.randomState(position);
        }

        private static Linear onMachine(RemoteMachine machine) {
            Linear model = new Linear(4, 2);
            model.to(machine);
            return model;
        }

        void steps(int count) {
            for (int step = 0; step < count; step++) {
                optimizer.zeroGrad();
                Functional.mseLoss(model.forward(machine.randn(8, 4)), machine.randn(8, 2))
                        .backward();
                optimizer.step();
            }
        }

        Map<String, Tensor> state() {
            Map<String, Tensor> state = new TreeMap<>();
            model.namedParameters().forEach((name, parameter) -> state.put(name, parameter.tensor()));
            return state;
        }

        float[] weights() {
            return model.parameters().getFirst().tensor().toHost().toFloatArray();
        }
    }

    @Test
    void aHandOverNeedsNoKeyBefore() {
        RemoteMachine first = machine();
        first.keep("x", first.ones(2, 2));
        String key = first.handOver();
        assertFalse(key.contains("A100"), "the key is not readable");
        OutpostException closed = assertThrows(OutpostException.class, () -> first.ones(1));
        assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
        first.close();
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            assertEquals(4.0, next.kept("x").sum().itemDouble());
            next.forget("x");
            OutpostException missing = assertThrows(OutpostException.class, () -> next.kept("x"));
            assertTrue(missing.getMessage().contains("keeps nothing by the name x"), missing::getMessage);
        }
    }

    @Test
    void ofManyThatAttachAtOnceOneHasTheSession() throws Exception {
        RemoteMachine first = machine();
        first.keep("x", first.ones(100));
        String key = first.sessionKey();
        int count = 6;
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<RemoteMachine>> attaching = new ArrayList<>();
            for (int attempt = 0; attempt < count; attempt++) {
                attaching.add(threads.submit(() -> RemoteMachine.attach(key)));
            }
            int usable = 0;
            List<RemoteMachine> attached = new ArrayList<>();
            for (Future<RemoteMachine> each : attaching) {
                try {
                    attached.add(each.get());
                } catch (ExecutionException failure) {
                    assertTrue(
                            failure.getCause().getMessage().contains("another process has attached"),
                            failure::toString);
                }
            }
            RemoteMachine last = null;
            for (RemoteMachine each : attached) {
                try {
                    assertEquals(100.0, each.kept("x").sum().itemDouble());
                    usable++;
                    last = each;
                } catch (OutpostException failure) {
                    assertTrue(failure.getMessage().contains("another process has attached"), failure::getMessage);
                }
            }
            assertEquals(1, usable);
            for (RemoteMachine each : attached) {
                if (each != last) {
                    each.close();
                }
            }
            assertEquals(100.0, last.kept("x").sum().itemDouble());
            last.close();
            abandon(first);
        }
    }

    @Test
    void aMachineThatIsGoneIsReplacedByItsLatestState() {
        MachineOptions options =
                new MachineOptions().option("sources", "file:" + folder).store("file:" + folder);
        MockProvider provider = new MockProvider();
        RemoteMachine first = RemoteMachine.of(provider, "A100", options);
        Tensor x = first.ones(3);
        first.keep("x", x);
        first.pause();
        x.add_(1);
        first.pause();
        first.resume();
        String key = first.sessionKey();
        x.add_(1);
        first.endStep();
        provider.machines().getFirst().lose("the node is gone");
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            assertEquals(Set.of("x"), next.kept().keySet());
            assertEquals(6.0, next.kept("x").sum().itemDouble(), "the state of the second pause");
            next.kept("x").add_(1);
            next.pause();
            assertEquals(9.0, next.kept("x").sum().itemDouble(), "its states go on");
        }
        abandon(first);
    }

    @Test
    void namesStayOverAPause() {
        MachineOptions options =
                new MachineOptions().option("sources", "file:" + folder).store("file:" + folder);
        RemoteMachine first = RemoteMachine.of("mock", "A100", options);
        Tensor x = first.ones(3).requiresGrad(true);
        first.keep("x", x);
        x.close();
        first.pause();
        String key = first.sessionKey();
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            assertTrue(next.kept("x").requiresGrad());
            assertEquals(3.0, next.kept("x").sum().itemDouble());
            abandon(first);
        }
    }

    @Test
    void aSessionThatIsGoneIsNamed() {
        RemoteMachine first = machine();
        first.keep("x", first.ones(3));
        String key = first.sessionKey();
        first.close();
        OutpostException gone = assertThrows(OutpostException.class, () -> RemoteMachine.attach(key));
        assertTrue(gone.getMessage().startsWith("attach: the session is gone: "), gone::getMessage);
    }

    @Test
    void wrongCallsAreRefused() {
        OutpostException wrong =
                assertThrows(OutpostException.class, () -> RemoteMachine.attach("outpost-session-1.x"));
        assertTrue(wrong.getMessage().contains("this text is incomplete or another one"), wrong::getMessage);
        try (RemoteMachine machine = machine();
                RemoteMachine other = machine();
                RemoteMachine group = RemoteMachine.of("mock", "A100", 2)) {
            assertThrows(OutpostException.class, () -> machine.keep(" ", machine.ones(1)));
            assertThrows(OutpostException.class, () -> machine.keep("x", other.ones(1)));
            Tensor leaf = machine.ones(1).requiresGrad(true);
            OutpostException tracked = assertThrows(OutpostException.class, () -> machine.keep("x", leaf.mul(2)));
            assertTrue(tracked.getMessage().contains("keep tensor.detach()"), tracked::getMessage);
            assertThrows(OutpostException.class, () -> group.keep("x", group.ones(1)));
            assertThrows(OutpostException.class, group::sessionKey);
        }
    }
}
