package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import java.util.Arrays;
import java.util.Map;

/** Tests copies to the device, within it and back. */
final class CopyTest {
    /** The name of the figure: bytes per nanosecond, reads plus writes. */
    static final String RATE = "GB/s";

    private static final int ELEMENTS = 32 << 20;

    private CopyTest() {}

    static CheckMeasurement run(CudaStream stream) {
        float[] elements = CheckSamples.floats(ELEMENTS, 1);
        try (DeviceMemory source = DeviceMemory.of(elements);
                DeviceMemory copy = new DeviceMemory(source.bytes())) {
            double seconds = DeviceTimer.seconds(stream, () -> copy.copyFrom(source, stream));
            if (!Arrays.equals(elements, copy.floats(ELEMENTS))) {
                throw new WrongResultException("a copy differs from its source");
            }
            // A copy reads and writes.
            double rate = 2.0 * copy.bytes() / seconds / 1e9;
            return CheckMeasurement.of(
                    Map.of(RATE, rate),
                    "%d MiB to the device, within it and back; %.0f GB/s within the device",
                    copy.bytes() >> 20,
                    rate);
        }
    }
}
