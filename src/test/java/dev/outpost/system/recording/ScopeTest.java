package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the values that a scope closes and keeps, and the places where it ends a segment. */
@Tag("quick")
class ScopeTest {
    @Test
    void keptTensorsLiveInTheOuterScope() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor kept;
            try (var outer = machine.scope()) {
                Tensor inner;
                Tensor lost;
                try (var scope = machine.scope()) {
                    lost = machine.ones(2);
                    inner = scope.keep(lost.add(1));
                }
                assertTrue(lost.isClosed());
                kept = outer.keep(inner);
            }
            assertArrayEquals(new float[] {2, 2}, kept.toFloatArray());
        }
    }

    @Test
    void writesIntoTensorsFromOutsideStay() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor total = machine.zeros(3);
            try (var scope = machine.scope()) {
                total.add_(machine.ones(3));
                total.slice(0, 0, 1).mul_(5);
            }
            assertArrayEquals(new float[] {5, 1, 1}, total.toFloatArray());
        }
    }

    /** A view of an outer tensor that is made inside is closed with the scope, so it does not keep the tensor's storage alive. */
    @Test
    void viewsMadeInsideDoNotHoldWhatIsOutside() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.zeros(4);
            for (int step = 0; step < 3; step++) {
                try (var scope = machine.scope()) {
                    x.narrow(0, 0, 2).add(1);
                }
            }
            assertEquals(1, machine.heldValues());
            x.close();
            assertEquals(0, machine.heldValues());
        }
    }

    @Test
    void anOutermostScopeIsOneSegmentAndStoresOnlyWhatOutlivesIt() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.ones(4);
            machine.endStep();
            for (int step = 0; step < 5; step++) {
                try (var outer = machine.scope()) {
                    try (var inner = machine.scope()) {
                        x.mul_(2).add_(1);
                    }
                    x.sub_(1);
                }
            }
            assertEquals(6, machine.stats().segments());
            assertEquals(1, machine.heldValues());
            assertArrayEquals(new float[] {32, 32, 32, 32}, x.toFloatArray());
        }
    }

    @Test
    void scopesOfTwoMachinesEndTheirOwnSegments() {
        try (RemoteMachine first = RemoteMachine.of("mock", "A100");
                RemoteMachine second = RemoteMachine.of("mock", "T4");
                var outer = first.scope()) {
            Tensor x = second.ones(1);
            try (var inner = second.scope()) {
                x.add_(1);
            }
            assertEquals(1, second.stats().segments());
            assertEquals(0, first.stats().segments());
        }
    }

    @Test
    void tensorOfAnotherMachineIsClosedAsWell() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            Tensor mine;
            Tensor others;
            try (var scope = machine.scope()) {
                mine = machine.ones(2);
                others = other.ones(2);
            }
            assertTrue(mine.isClosed() && others.isClosed());
            other.synchronize();
            assertEquals(0, machine.heldValues() + other.heldValues());
        }
    }

    /** A scope's tensors are closed under the lock of their machine, and never under the locks of two machines. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void threadsWithTensorsOfEachOthersMachinesDoNotWaitForEachOther() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            CyclicBarrier both = new CyclicBarrier(2);
            Thread crosswise = Thread.ofPlatform().daemon().start(() -> closeManyOf(other, machine, both));
            closeManyOf(machine, other, both);
            crosswise.join();
            machine.synchronize();
            other.synchronize();
            assertEquals(0, machine.heldValues() + other.heldValues());
        }
    }

    private static void closeManyOf(RemoteMachine machine, RemoteMachine other, CyclicBarrier both) {
        for (int round = 0; round < 20; round++) {
            try (var scope = machine.scope()) {
                for (int op = 0; op < 1000; op++) {
                    machine.ones(1);
                    other.ones(1);
                }
                both.await();
            } catch (InterruptedException | BrokenBarrierException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    @Test
    void scopesCloseFromTheInside() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                var outer = machine.scope();
                var inner = machine.scope()) {
            assertThrows(IllegalStateException.class, outer::close);
            inner.close();
            inner.close();
            assertFalse(machine.ones(1).isClosed());
        }
    }
}
