package dev.outpost.runtime.cuda.driver;

import java.util.stream.Stream;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/** A function of a module, which many threads of the device execute. */
public final class CudaKernel {
    private final CUfunction function;

    CudaKernel(CUfunction function) {
        this.function = function;
    }

    CUfunction function() {
        return function;
    }

    /**
     * Appends a one-dimensional execution to the stream.
     *
     * @param blocks the number of blocks of threads
     * @param threads the number of threads in a block
     * @param arguments the arguments that match the kernel's parameters: {@link DeviceMemory}, Integer, Long or Float
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
