package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.mock.MockNetwork;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import org.junit.jupiter.api.Test;

/** Tensors over a slow link take fewer bytes, and are the same; over a fast one nothing changes. */
class CompressionTest {
    private static final int BYTES_PER_SECOND = 16 << 20;
    private static final int ELEMENTS = 7 << 20;

    @Test
    void aSlowLinkCarriesFewerBytes() {
        long plain = bytesOut(MockNetwork.PERFECT.withBandwidth(BYTES_PER_SECOND), false);
        long packed = bytesOut(MockNetwork.PERFECT.withBandwidth(BYTES_PER_SECOND), true);
        assertTrue(plain >= 4L * ELEMENTS, () -> plain + " bytes");
        assertTrue(packed < 0.9 * plain, () -> packed + " bytes, and " + plain + " uncompressed");
    }

    @Test
    void aFastLinkCarriesThemAsTheyAre() {
        assertEquals(
                bytesOut(MockNetwork.PERFECT, false) / 1e6, bytesOut(MockNetwork.PERFECT, true) / 1e6, 0.1, "MB out");
    }

    /** There and back; the answer is what went there. */
    private static long bytesOut(MockNetwork network, boolean isCompressed) {
        int[] values = new int[ELEMENTS];
        for (int index = 0; index < values.length; index++) {
            values[index] = index * 31 & 0xfff;
        }
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withNetwork(network));
        MachineOptions options = new MachineOptions().compression(isCompressed);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options)) {
            assertArrayEquals(
                    values,
                    machine.tensor(HostTensor.of(values, ELEMENTS)).toHost().toIntArray());
            return machine.stats().bytesOut();
        }
    }
}
