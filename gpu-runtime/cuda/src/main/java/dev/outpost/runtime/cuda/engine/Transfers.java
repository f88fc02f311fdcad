package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.Dimensions;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.StreamDependencies;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import java.nio.ByteBuffer;

/**
 * Chooses the queue for copies to and from the device: the queue of kernels, or one that runs concurrently. Called under the engine's
 * lock.
 */
record Transfers(Gpu gpu, StreamDependencies dependencies, CudaLauncher launcher) {
    /** The number of bytes from which a transfer is worth the marks that order it with kernels. */
    private static final int LARGE = 1 << 16;

    /**
     * An appended copy.
     *
     * @param mark the mark after the copy
     */
    record Copy(Queue queue, Gpu.Mark mark) {}

    /**
     * Returns the queue for an upload. A small upload is appended to the queue of kernels, unless earlier uploads to
     * the block are in the concurrent queue.
     */
    Queue way(DeviceAllocation target, int bytes) {
        return bytes < LARGE && target.arrival() == null ? Queue.KERNELS : Queue.UPLOADS;
    }

    /** Copies the beginning of a buffer to an address within a block. */
    Copy upload(Queue way, DeviceAllocation allocation, long address, ByteBuffer buffer, int bytes) {
        if (way == Queue.KERNELS) {
            dependencies.use(allocation);
            gpu.upload(way, buffer, address, bytes);
        } else {
            dependencies.beforeUpload(allocation);
            gpu.upload(way, buffer, address, bytes);
            dependencies.afterUpload(allocation);
        }
        return new Copy(way, gpu.mark(way));
    }

    /** Copies elements to a buffer. A large copy runs concurrently with kernels, as soon as those that compute the value are done. */
    Copy download(Array source, long first, int count, ByteBuffer buffer) {
        int bytes = count * source.dtype().bytes();
        DeviceAllocation allocation = ((CudaBuffer) source.buffer()).allocation();
        if (!source.layout().isContiguous()) {
            dependencies.use(allocation);
            return collected(source, first, count, buffer);
        }
        long address = CudaLauncher.address(source) + first * source.dtype().bytes();
        Queue way = bytes < LARGE ? Queue.KERNELS : Queue.DOWNLOADS;
        if (way == Queue.KERNELS) {
            dependencies.use(allocation);
        } else {
            dependencies.beforeDownload(allocation);
        }
        gpu.download(way, address, buffer, bytes);
        return new Copy(way, gpu.mark(way));
    }

    private Copy collected(Array source, long first, int count, ByteBuffer buffer) {
        int bytes = count * source.dtype().bytes();
        DeviceAllocation allocation = launcher.scratch(bytes);
        try {
            collect(source, first, count, allocation);
            gpu.download(Queue.KERNELS, allocation.address(), buffer, bytes);
            return new Copy(Queue.KERNELS, gpu.mark(Queue.KERNELS));
        } finally {
            launcher.release(allocation);
        }
    }

    private void collect(Array source, long first, int count, DeviceAllocation allocation) {
        Layout layout = source.layout();
        Dimensions dimensions = Dimensions.of(layout.shape(), layout);
        Template template = Template.of(Part.COLLECT, dimensions.isWide())
                .define("STORED", CudaType.moved(source.dtype()).stored())
                .define("RANK", dimensions.rank());
        KernelArguments arguments = new KernelArguments()
                .add(allocation.address(), CudaLauncher.address(source), first, count)
                .add(dimensions.sizes())
                .add(dimensions.strides()[0]);
        launcher.run(template.source(), "collect", count, arguments);
    }
}
