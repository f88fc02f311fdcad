package dev.outpost.runtime.cuda.driver;

import java.util.stream.Stream;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/** A function of a module that is executed by many threads of the device. */
public final class CudaKernel {
    private final CUfunction function;

    CudaKernel(CUfunction function) {
        this.function = function;
    }

    CUfunction function() {
        return function;
    }

    /**
     * Appends an execution to the stream, in one dimension.
     *
     * @param blocks how many blocks of threads
     * @param threads how many threads a block
     * @param arguments of type {@link DeviceMemory}, Integer, Long or Float, as the kernel's parameters are
     */
    public void launch(CudaStream stream, int blocks, int threads, Object... arguments) {
        Pointer parameters =
                Pointer.to(Stream.of(arguments).map(CudaKernel::pointer).toArray(NativePointerObject[]::new));
        DriverCheck.check(
                "cuLaunchKernel",
                JCudaDriver.cuLaunchKernel(
                        function, blocks, 1, 1, threads, 1, 1, 0, stream.handle(), parameters, null));
    }

    private static Pointer pointer(Object argument) {
        return switch (argument) {
            case DeviceMemory memory -> Pointer.to(memory.handle());
            case Integer number -> Pointer.to(new int[] {number});
            case Long number -> Pointer.to(new long[] {number});
            case Float number -> Pointer.to(new float[] {number});
            default ->
                throw new IllegalArgumentException(
                        "launch: an argument is device memory, an int, a long or a float, got "
                                + argument.getClass().getSimpleName());
        };
    }
}
