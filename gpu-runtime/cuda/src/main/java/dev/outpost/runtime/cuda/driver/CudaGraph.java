package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.device.Gpu;
import jcuda.driver.CUgraph;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

/** Captured work of a stream, which can be launched repeatedly. */
final class CudaGraph implements Gpu.Graph, AutoCloseable {
    private final GraphUpdate update;
    private final CudaStream stream;
    private ExecutableGraph executable;

    /** Captures the work's launches from the stream, without executing them. */
    CudaGraph(GraphUpdate update, CudaStream stream, Runnable work) {
        this.update = update;
        this.stream = stream;
        CapturedWork captured = capture(work);
        try {
            executable = new ExecutableGraph(captured);
        } finally {
            destroy(captured);
        }
    }

    /** Updates the graph in place if the driver can, which requires the same kernels in the same order. Otherwise creates a new graph. */
    void recapture(Runnable work) {
        CapturedWork captured = capture(work);
        try {
            if (!update.tryUpdate(executable.address(), captured.address())) {
                ExecutableGraph fresh = new ExecutableGraph(captured);
                close();
                executable = fresh;
            }
        } finally {
            destroy(captured);
        }
    }

    /**
     * Captures the work. The mode lets this thread allocate memory meanwhile, and lets other threads wait for events. The capture is
     * ended in any case, since the stream can do nothing else until then.
     */
    private CapturedWork capture(Runnable work) {
        DriverCheck.check(
                "cuStreamBeginCapture",
                JCudaDriver.cuStreamBeginCapture(stream.handle(), CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED));
        CapturedWork captured = new CapturedWork();
        boolean isWhole = false;
        try {
            work.run();
            isWhole = true;
        } finally {
            int code = JCudaDriver.cuStreamEndCapture(stream.handle(), captured);
            if (isWhole) {
                DriverCheck.check("cuStreamEndCapture", code);
            } else if (captured.address() != 0) {
                JCudaDriver.cuGraphDestroy(captured);
            }
        }
        return captured;
    }

    private static void destroy(CapturedWork captured) {
        DriverCheck.check("cuGraphDestroy", JCudaDriver.cuGraphDestroy(captured));
    }

    void launch() {
        DriverCheck.check("cuGraphLaunch", JCudaDriver.cuGraphLaunch(executable, stream.handle()));
    }

    /** Waits for launches that are under way. */
    @Override
    public void close() {
        DriverCheck.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream.handle()));
        DriverCheck.check("cuGraphExecDestroy", JCudaDriver.cuGraphExecDestroy(executable));
    }

    /** Exposes the pointer, which JCuda makes accessible only to subclasses. */
    private static final class CapturedWork extends CUgraph {
        long address() {
            return getNativePointer();
        }
    }
}
