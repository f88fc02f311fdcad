package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** A mark in a stream, with the time when the stream passed it. */
public final class CudaEvent implements AutoCloseable {
    private static final long SPIN_NANOS = 50_000;

    private final CUevent event = new CUevent();

    /**
     * Creates a mark. A thread that waits for it uses no processor time after the first {@link #SPIN_NANOS}
     * nanoseconds.
     */
    public CudaEvent() {
        DriverCheck.check("cuEventCreate", JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_BLOCKING_SYNC));
    }

    /** Sets the mark after the current work of the stream. */
    public void record(CudaStream stream) {
        DriverCheck.check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream.handle()));
    }

    /** Makes later work of a stream wait for the mark. */
    void holdUp(CudaStream stream) {
        DriverCheck.check("cuStreamWaitEvent", JCudaDriver.cuStreamWaitEvent(stream.handle(), event, 0));
    }

    /** Waits until the stream has passed the mark. Spins for a moment first, since waking a thread takes longer than many kernels. */
    public void synchronize() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < SPIN_NANOS) {
            if (isPast()) {
                return;
            }
            Thread.onSpinWait();
        }
        DriverCheck.check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(event));
    }

    private boolean isPast() {
        int code = JCudaDriver.cuEventQuery(event);
        if (code != CUresult.CUDA_ERROR_NOT_READY) {
            DriverCheck.check("cuEventQuery", code);
        }
        return code == CUresult.CUDA_SUCCESS;
    }

    /** Returns the seconds between an earlier mark and this one. The stream must have passed both marks. */
    public double secondsSince(CudaEvent earlier) {
        float[] milliseconds = {0};
        DriverCheck.check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(milliseconds, earlier.event, event));
        return milliseconds[0] / 1e3;
    }

    @Override
    public void close() {
        DriverCheck.check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
    }
}
