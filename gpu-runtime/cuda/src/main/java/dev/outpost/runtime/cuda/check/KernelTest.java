package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaKernel;
import dev.outpost.runtime.cuda.driver.CudaModule;
import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import java.util.Arrays;
import java.util.Map;

/** Compiles the sample kernel for the device and runs it on a million elements. */
final class KernelTest {
    private static final int ELEMENTS = 1 << 20;
    private static final int THREADS = 256;

    private KernelTest() {}

    static CheckMeasurement run(Nvrtc nvrtc, CudaDevice device, CudaStream stream) {
        byte[] image = SampleKernel.compile(nvrtc, nvrtc.targetFor(device.architecture()));
        try (CudaModule module = new CudaModule(image)) {
            return run(module.kernel(SampleKernel.NAME), stream);
        }
    }

    private static CheckMeasurement run(CudaKernel kernel, CudaStream stream) {
        float[] a = CheckSamples.floats(ELEMENTS, 1);
        float[] b = CheckSamples.floats(ELEMENTS, 2);
        float[] c = CheckSamples.floats(ELEMENTS, 3);
        try (DeviceMemory onDeviceA = DeviceMemory.of(a);
                DeviceMemory onDeviceB = DeviceMemory.of(b);
                DeviceMemory onDeviceC = DeviceMemory.of(c);
                DeviceMemory result = new DeviceMemory(onDeviceA.bytes())) {
            Runnable launch = () -> kernel.launch(
                    stream, ELEMENTS / THREADS, THREADS, onDeviceA, onDeviceB, onDeviceC, result, (long) ELEMENTS);
            double seconds = DeviceTimer.seconds(stream, launch);
            compare(SampleKernel.expected(a, b, c), result.floats(ELEMENTS));
            return CheckMeasurement.of(
                    Map.of("seconds per launch", seconds),
                    "%,d results equal the CPU's bit for bit; %.1f µs a launch",
                    ELEMENTS,
                    1e6 * seconds);
        }
    }

    /** Compares exactly: product, sum and maximum follow IEEE on both sides, so neither may round differently. */
    private static void compare(float[] expected, float[] actual) {
        int different = Arrays.mismatch(expected, actual);
        if (different >= 0) {
            throw new WrongResultException(
                    "element %d is %s, expected %s".formatted(different, actual[different], expected[different]));
        }
    }
}
