package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import dev.outpost.runtime.cuda.library.CudaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Uses a GPU through its driver, with a stream for each queue. Different threads may call it, so each call first
 * makes the context current. For a virtual thread this applies to its current carrier thread, and the virtual thread
 * stays on this carrier during the call.
 */
public final class JcudaGpu implements Gpu {
    private final CudaContext context;
    private final CudaStream stream;
    private final Map<Queue, CudaStream> streams = new EnumMap<>(Queue.class);
    private final GraphUpdate graphUpdate = new GraphUpdate();
    private final List<Pointer> hostBuffers = new ArrayList<>();
    /**
     * The unused events. Many threads take and return them. The queue has no locks, because a virtual thread that
     * waits could move to another carrier thread.
     */
    private final ConcurrentLinkedQueue<CudaEvent> idle = new ConcurrentLinkedQueue<>();

    private JcudaGpu(CudaContext context) {
        this.context = context;
        for (Queue queue : Queue.values()) {
            streams.put(queue, new CudaStream());
        }
        this.stream = streams.get(Queue.KERNELS);
    }

    /** Opens a device. */
    public static JcudaGpu open(CudaDevice device) {
        CudaContext context = CudaContext.open(device);
        try {
            return new JcudaGpu(context);
        } catch (CudaException failure) {
            context.close();
            throw failure;
        }
    }

    /** Returns the stream of the queue of kernels, for libraries that append to it. */
    public CudaStream stream() {
        return stream;
    }

    /** Returns the stream for the library of exchanges with other GPUs. */
    public CudaStream exchanges() {
        return streams.get(Queue.EXCHANGES);
    }

    public CudaContext context() {
        return context;
    }

    @Override
    public String description() {
        return context.device().name() + ", compute capability "
                + context.device().computeCapability();
    }

    @Override
    public int architecture() {
        return context.device().architecture();
    }

    @Override
    public int multiprocessors() {
        return context.device().multiprocessors();
    }

    @Override
    public long memoryBytes() {
        return context.device().memory();
    }

    @Override
    public long freeBytes() {
        context.makeCurrent();
        long[] free = {0};
        long[] total = {0};
        DriverCheck.check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return free[0];
    }

    @Override
    public long allocate(long bytes) {
        context.makeCurrent();
        DevicePointer pointer = new DevicePointer();
        int code = JCudaDriver.cuMemAlloc(pointer, bytes);
        try {
            DriverCheck.check("cuMemAlloc of " + bytes + " bytes", code);
        } catch (CudaException failure) {
            if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
                throw new OutOfDeviceMemoryException(failure.getMessage(), failure);
            }
            throw failure;
        }
        return pointer.address();
    }

    /** Synchronizes first, since the driver does not wait for streams. */
    @Override
    public void release(long address) {
        context.makeCurrent();
        synchronize();
        DriverCheck.check("cuMemFree", JCudaDriver.cuMemFree(pointer(address)));
    }

    private void synchronize() {
        for (CudaStream each : streams.values()) {
            DriverCheck.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(each.handle()));
        }
    }

    @Override
    public void fill(long address, long bytes, int value) {
        context.makeCurrent();
        DriverCheck.check(
                "cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(pointer(address), (byte) value, bytes, stream.handle()));
    }

    @Override
    public void copy(long to, long from, long bytes) {
        context.makeCurrent();
        DriverCheck.check(
                "cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(pointer(to), pointer(from), bytes, stream.handle()));
    }

    @Override
    public ByteBuffer hostBuffer(int bytes) {
        context.makeCurrent();
        Pointer pointer = new Pointer();
        DriverCheck.check("cuMemHostAlloc of " + bytes + " bytes", JCudaDriver.cuMemHostAlloc(pointer, bytes, 0));
        hostBuffers.add(pointer);
        return pointer.getByteBuffer(0, bytes);
    }

    @Override
    public void upload(Queue queue, ByteBuffer from, long to, int bytes) {
        context.makeCurrent();
        DriverCheck.check(
                "cuMemcpyHtoDAsync",
                JCudaDriver.cuMemcpyHtoDAsync(
                        pointer(to), Pointer.to(from), bytes, streams.get(queue).handle()));
    }

    @Override
    public void download(Queue queue, long from, ByteBuffer to, int bytes) {
        context.makeCurrent();
        DriverCheck.check(
                "cuMemcpyDtoHAsync",
                JCudaDriver.cuMemcpyDtoHAsync(
                        Pointer.to(to), pointer(from), bytes, streams.get(queue).handle()));
    }

    @Override
    public DeviceCode load(byte[] image) {
        context.makeCurrent();
        return new Code(new CudaModule(image));
    }

    /** Passes all arguments as one structure, which the driver copies. */
    @Override
    public void launch(DeviceKernel kernel, long blocks, int threads, long[] arguments) {
        if (blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("launch: at most " + Integer.MAX_VALUE + " blocks, got " + blocks);
        }
        context.makeCurrent();
        Pointer parameters = Pointer.to(Pointer.to(arguments));
        CUfunction function = ((Kernel) kernel).function;
        DriverCheck.check(
                "cuLaunchKernel",
                JCudaDriver.cuLaunchKernel(
                        function, (int) blocks, 1, 1, threads, 1, 1, 0, stream.handle(), parameters, null));
    }

    @Override
    public Graph capture(Runnable work) {
        context.makeCurrent();
        return new CudaGraph(graphUpdate, stream, work);
    }

    @Override
    public void recapture(Graph graph, Runnable work) {
        context.makeCurrent();
        ((CudaGraph) graph).recapture(work);
    }

    @Override
    public void launch(Graph graph) {
        context.makeCurrent();
        ((CudaGraph) graph).launch();
    }

    @Override
    public void drop(Graph graph) {
        context.makeCurrent();
        ((CudaGraph) graph).close();
    }

    @Override
    public Mark mark(Queue queue) {
        CudaEvent reused = idle.poll();
        context.makeCurrent();
        CudaEvent event = reused == null ? new CudaEvent() : reused;
        event.record(streams.get(queue));
        return new EventMark(event);
    }

    @Override
    public void follow(Queue queue, Mark mark) {
        context.makeCurrent();
        ((EventMark) mark).event.holdUp(streams.get(queue));
    }

    /** Makes the event available immediately: work that already waits for it still waits for the earlier mark. */
    @Override
    public void forget(Mark mark) {
        idle.add(((EventMark) mark).event);
    }

    @Override
    public void reach(Mark mark) {
        context.makeCurrent();
        ((EventMark) mark).event.synchronize();
    }

    @Override
    public long nanos(Mark from, Mark to) {
        context.makeCurrent();
        return Math.round(1e9 * ((EventMark) to).event.secondsSince(((EventMark) from).event));
    }

    @Override
    public void close() {
        context.makeCurrent();
        idle.forEach(CudaEvent::close);
        for (Pointer buffer : hostBuffers) {
            DriverCheck.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(buffer));
        }
        streams.values().forEach(CudaStream::close);
        context.close();
    }

    private static CUdeviceptr pointer(long address) {
        return new CUdeviceptr().withByteOffset(address);
    }

    private record EventMark(CudaEvent event) implements Mark {}

    private record Kernel(CUfunction function) implements DeviceKernel {}

    private final class Code implements DeviceCode {
        private final CudaModule module;

        Code(CudaModule module) {
            this.module = module;
        }

        @Override
        public DeviceKernel kernel(String name) {
            context.makeCurrent();
            return new Kernel(module.kernel(name).function());
        }

        @Override
        public void unload() {
            context.makeCurrent();
            synchronize();
            module.close();
        }
    }

    /** Exposes the pointer, which JCuda makes accessible only to subclasses. */
    private static final class DevicePointer extends CUdeviceptr {
        long address() {
            return getNativePointer();
        }
    }
}
