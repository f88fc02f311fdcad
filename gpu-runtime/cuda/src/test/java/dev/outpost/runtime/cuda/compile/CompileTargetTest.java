package dev.outpost.runtime.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CompileTargetTest {
    private static final List<Integer> SUPPORTED = List.of(75, 80, 90);

    @Test
    void aKnownDeviceGetsMachineCode() {
        assertEquals(
                "--gpu-architecture=sm_80",
                CompileTarget.forDevice(80, SUPPORTED).option());
    }

    @Test
    void aNewerDeviceGetsPtxOfTheNewestKnown() {
        assertEquals(
                "--gpu-architecture=compute_90",
                CompileTarget.forDevice(100, SUPPORTED).option());
        assertEquals(
                "--gpu-architecture=compute_80",
                CompileTarget.forDevice(89, SUPPORTED).option());
    }

    @Test
    void aDeviceThatWasDroppedIsRefused() {
        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> CompileTarget.forDevice(70, SUPPORTED));
        assertEquals(
                "NVRTC: compute capability too old, the compiler begins at 75, got 70: use the libraries of an older CUDA",
                failure.getMessage());
    }
}
