package dev.outpost.runtime.cuda.nccl;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.cuda.driver.JcudaGpu;
import dev.outpost.types.DType;
import java.time.Duration;

/** Exchanges elements by NCCL. Its algorithm is fixed, so that two runs on the same GPUs compute the same bits. */
public final class NcclLibrary implements CollectiveLibrary {
    /** The number of a group's only communicator. */
    private static final long COMMUNICATOR = 0;

    private final Nccl nccl;
    private final JcudaGpu gpu;
    private final String algorithm;
    private final boolean isCaptured;

    private NcclLibrary(Nccl nccl, JcudaGpu gpu, String algorithm, boolean isCaptured) {
        this.nccl = nccl;
        this.gpu = gpu;
        this.algorithm = algorithm;
        this.isCaptured = isCaptured;
    }

    /**
     * Creates the library, and fixes NCCL's algorithm in this process, unless the environment names one.
     *
     * @param isCaptured true if exchanges may be captured in graphs
     */
    public static NcclLibrary of(Nccl nccl, JcudaGpu gpu, boolean isCaptured) {
        return new NcclLibrary(nccl, gpu, NcclAlgorithm.fix(), isCaptured);
    }

    @Override
    public String name() {
        int version = nccl.version();
        return "NCCL " + version / 10_000 + "." + version / 100 % 100 + "." + version % 100 + " (" + algorithm + ")";
    }

    @Override
    public String device() {
        return gpu.context().device().uuid();
    }

    @Override
    public byte[] drawId(String key) {
        return nccl.drawId().seal(key, COMMUNICATOR);
    }

    @Override
    public Communicator join(byte[] id, String key, int size, int rank, Duration timeout) {
        NcclId opened = NcclId.open(id, key, COMMUNICATOR);
        gpu.context().makeCurrent();
        return new Member(nccl.join(opened, size, rank, timeout));
    }

    @Override
    public boolean isCaptured() {
        return isCaptured;
    }

    @Override
    public boolean takes(DType dtype) {
        return dtype != DType.INT16;
    }

    private final class Member implements Communicator {
        private final NcclCommunicator communicator;

        Member(NcclCommunicator communicator) {
            this.communicator = communicator;
        }

        @Override
        public void allReduce(long from, long to, long elements, DType dtype) {
            gpu.context().makeCurrent();
            communicator.allReduce(from, to, elements, dtype, gpu.exchanges().address());
        }

        @Override
        public void allGather(long from, long to, long elements, DType dtype) {
            gpu.context().makeCurrent();
            communicator.allGather(from, to, elements, dtype, gpu.exchanges().address());
        }

        @Override
        public void reduceScatter(long from, long to, long elements, DType dtype) {
            gpu.context().makeCurrent();
            communicator.reduceScatter(
                    from, to, elements, dtype, gpu.exchanges().address());
        }

        @Override
        public void send(long from, long elements, DType dtype, int member) {
            gpu.context().makeCurrent();
            communicator.send(from, elements, dtype, member, gpu.exchanges().address());
        }

        @Override
        public void receive(long to, long elements, DType dtype, int member) {
            gpu.context().makeCurrent();
            communicator.receive(to, elements, dtype, member, gpu.exchanges().address());
        }

        @Override
        public void grouped(Runnable body) {
            gpu.context().makeCurrent();
            communicator.grouped(body);
        }

        @Override
        public void abort() {
            communicator.abort();
        }

        @Override
        public void close() {
            gpu.context().makeCurrent();
            communicator.close();
        }
    }
}
