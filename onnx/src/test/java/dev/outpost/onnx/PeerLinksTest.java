package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Transfer;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests values that are sent directly from one machine to another. */
class PeerLinksTest {
    private static final int VALUES = 40;
    private static final int LARGE = 1 << 20;

    private final MockProvider mock = new MockProvider();
    private final List<RemoteMachine> machines = new ArrayList<>();

    private RemoteMachine start() {
        RemoteMachine machine = RemoteMachine.of(mock, "any", new MachineOptions());
        machines.add(machine);
        return machine;
    }

    @AfterEach
    void stop() {
        for (RemoteMachine machine : machines) {
            try {
                machine.close();
            } catch (OutpostException ignored) {
                // Faults of values that a test lost.
            }
        }
    }

    @Test
    void valuesArriveInTheOrderInWhichTheyWereSent() {
        RemoteMachine one = start();
        RemoteMachine other = start();
        try (PeerLinks links = PeerLinks.open(List.of(one, other))) {
            List<Tensor> arrived = new ArrayList<>();
            for (int value = 0; value < VALUES; value++) {
                try (Tensor sent = one.zeros(3).add(value)) {
                    arrived.add(links.send(sent, other));
                }
            }
            for (int value = 0; value < VALUES; value++) {
                assertArrayEquals(
                        new float[] {value, value, value}, arrived.get(value).toFloatArray());
            }
        }
    }

    @Test
    void aValueGoesOnOverAnotherMachineAndBack() {
        RemoteMachine one = start();
        RemoteMachine two = start();
        RemoteMachine three = start();
        try (PeerLinks links = PeerLinks.open(List.of(one, two, three))) {
            Tensor x = one.arange(LARGE);
            Tensor doubled = links.send(x, two).mul(2);
            Tensor added = links.send(doubled, three).add(1);
            Tensor back = links.send(added.narrow(0, 5, 2), one);
            assertArrayEquals(new float[] {11, 13}, back.toFloatArray());
        }
    }

    @Test
    void aTransferTellsWhenItsValueHasArrivedAndWhyItHasNot() {
        RemoteMachine one = start();
        RemoteMachine other = start();
        try (PeerLinks links = PeerLinks.open(List.of(one, other))) {
            Transfer sent = links.transfer(one.arange(LARGE).reshape(2, -1), other);
            assertArrayEquals(
                    new float[] {3},
                    sent.await().narrow(0, 0, 1).narrow(1, 3, 1).toFloatArray());
            assertTrue(sent.isComplete());
            Transfer empty = links.transfer(one.zeros(0, 4), other);
            assertEquals(0, empty.await().numel());
            Transfer lost = links.transfer(one.ones(2).indexSelect(0, one.tensor(new long[] {7})), other);
            OutpostException told = assertThrows(OutpostException.class, lost::await);
            assertTrue(told.getMessage().contains("7"), told.getMessage());
            assertTrue(lost.isComplete());
        }
    }

    @Test
    void aLostValueIsLostOnTheOtherMachineToTheSameFault() {
        RemoteMachine one = start();
        RemoteMachine other = start();
        try (PeerLinks links = PeerLinks.open(List.of(one, other))) {
            Tensor index = one.tensor(new long[] {7});
            Tensor lost = links.send(one.ones(2).indexSelect(0, index), other);
            OutpostException told = assertThrows(OutpostException.class, () -> lost.toFloatArray());
            assertTrue(told.getMessage().contains("7"), told.getMessage());
            assertArrayEquals(new float[] {1}, links.send(one.ones(1), other).toFloatArray());
        }
    }

    @Test
    void closedLinksFailWhatHasNotArrivedAndOthersMayBeOpened() {
        RemoteMachine one = start();
        RemoteMachine other = start();
        PeerLinks first = PeerLinks.open(List.of(one, other));
        first.close();
        assertThrows(OutpostException.class, () -> first.send(one.ones(1), other));
        try (PeerLinks second = PeerLinks.open(List.of(other, one))) {
            assertArrayEquals(new float[] {1}, second.send(one.ones(1), other).toFloatArray());
        }
    }

    @Test
    void aMachineIsInOneSetOfLinksAtATime() {
        RemoteMachine one = start();
        RemoteMachine other = start();
        try (PeerLinks links = PeerLinks.open(List.of(one, other))) {
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> PeerLinks.open(List.of(one, start())));
            assertEquals(FaultKind.EXTERNAL, refused.kind());
            assertTrue(refused.getMessage().contains("already"), refused.getMessage());
        }
    }

    @Test
    void aMachineThatIsGoneFailsWhatItWasToSend() {
        RemoteMachine one = start().awaitReady();
        RemoteMachine other = start().awaitReady();
        try (PeerLinks links = PeerLinks.open(List.of(one, other))) {
            mock.machines().getFirst().killRuntime();
            Tensor never = links.send(one.ones(1), other);
            assertThrows(OutpostException.class, () -> never.toFloatArray());
        }
    }
}
