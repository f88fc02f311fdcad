package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.device.Gpu;
import jcuda.driver.CUgraph;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

/** Work of a stream that was captured, and is launched again and again. */
final class CudaGraph implements Gpu.Graph, AutoCloseable {
    private final GraphUpdate update;
    private final CudaStream stream;
    private ExecutableGraph executable;

    /** Captures what the work appends to the stream, which does nothing of it. */
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

    /** In place, where the driver can: if the same kernels come in the same order. Else it is made anew. */
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
     * The mode lets this thread take memory meanwhile, and others wait for events. A capture is ended whatever happens: until
     * then the stream does nothing else.
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

    /** JCuda keeps the pointer for its subclasses. */
    private static final class CapturedWork extends CUgraph {
        long address() {
            return getNativePointer();
        }
    }
}
