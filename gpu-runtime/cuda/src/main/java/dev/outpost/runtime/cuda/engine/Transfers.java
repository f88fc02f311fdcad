package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.types.Layout;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.code.Word;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.memory.Array;
import java.nio.ByteBuffer;

/** Which way values take to the device and back: beside the kernels, or with them. Under the engine's lock. */
final class Transfers {
    /** From how many bytes on a transfer is worth the marks that order it with kernels. */
    private static final int LARGE = 1 << 16;

    private final Gpu gpu;
    private final Staging staging;
    private final Order order;
    private final Launcher launcher;

    Transfers(Gpu gpu, Staging staging, Order order, Launcher launcher) {
        this.gpu = gpu;
        this.staging = staging;
        this.order = order;
        this.launcher = launcher;
    }

    /** A little goes with the kernels, unless the beginning of it went beside them. */
    void write(CudaBuffer target, long offset, Bytes source) {
        Block block = target.block();
        long address = target.address(offset);
        if (source.length() < LARGE && block.arrival() == null) {
            order.use(block);
            staging.write(Queue.KERNELS, target.dtype(), address, source);
        } else {
            order.beforeUpload(block);
            staging.write(Queue.UPLOADS, target.dtype(), address, source);
            order.afterUpload(block);
        }
    }

    /** Much goes beside the kernels, as soon as those are done that the value comes from. */
    Gpu.Mark download(Array source, long first, int count, ByteBuffer buffer) {
        int bytes = count * source.dtype().bytes();
        Block block = ((CudaBuffer) source.buffer()).block();
        if (!source.layout().isContiguous()) {
            order.use(block);
            return collected(source, first, count, buffer);
        }
        long address = Launcher.address(source) + first * source.dtype().bytes();
        if (bytes < LARGE) {
            order.use(block);
            gpu.download(Queue.KERNELS, address, buffer, bytes);
            return gpu.mark(Queue.KERNELS);
        }
        order.beforeDownload(block);
        gpu.download(Queue.DOWNLOADS, address, buffer, bytes);
        return gpu.mark(Queue.DOWNLOADS);
    }

    private Gpu.Mark collected(Array source, long first, int count, ByteBuffer buffer) {
        int bytes = count * source.dtype().bytes();
        Block block = launcher.scratch(bytes);
        try {
            collect(source, first, count, block);
            gpu.download(Queue.KERNELS, block.address(), buffer, bytes);
            return gpu.mark(Queue.KERNELS);
        } finally {
            launcher.release(block);
        }
    }

    private void collect(Array source, long first, int count, Block block) {
        Layout layout = source.layout();
        Dimensions dimensions = Dimensions.of(layout.shape(), layout);
        Template template = Template.of(Part.COLLECT, dimensions.isWide())
                .define("STORED", Word.moved(source.dtype()).stored())
                .define("RANK", dimensions.rank());
        Arguments arguments = new Arguments()
                .add(block.address(), Launcher.address(source), first, count)
                .add(dimensions.sizes())
                .add(dimensions.strides()[0]);
        launcher.run(template.source(), "collect", count, arguments);
    }
}
