package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.mock.MockNetwork;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tensors take fewer bytes over a slow link, and are unchanged. CompressingLaneTest, which has a clock, tests fast links. */
class CompressionTest {
    private static final int BYTES_PER_SECOND = 4 << 20;
    private static final int ELEMENTS = 1 << 20;

    @Test
    void aSlowLinkCarriesFewerBytes() {
        long plain = bytesOut(MockNetwork.PERFECT.withBandwidth(BYTES_PER_SECOND), false);
        long packed = bytesOut(MockNetwork.PERFECT.withBandwidth(BYTES_PER_SECOND), true);
        assertTrue(plain >= 4L * ELEMENTS, () -> plain + " bytes");
        assertTrue(packed < 0.9 * plain, () -> packed + " bytes, and " + plain + " uncompressed");
    }

    /** Sends a value to the machine and back, and returns the bytes that were sent. The first, smaller value shows how fast the link is. */
    private static long bytesOut(MockNetwork network, boolean isCompressed) {
        int[] values = new int[ELEMENTS];
        for (int index = 0; index < values.length; index++) {
            values[index] = index * 31 & 0xfff;
        }
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withNetwork(network));
        MachineOptions options = new MachineOptions().compression(isCompressed);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options)) {
            machine.tensor(HostTensor.of(Arrays.copyOf(values, ELEMENTS / 4), ELEMENTS / 4))
                    .toHost();
            assertArrayEquals(
                    values,
                    machine.tensor(HostTensor.of(values, ELEMENTS)).toHost().toIntArray());
            return machine.stats().bytesOut();
        }
    }
}
