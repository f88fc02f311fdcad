package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.driver.CudaEvent;
import dev.outpost.runtime.cuda.driver.CudaStream;

/** Measures work in a stream by the device's own clock. */
final class DeviceTimer {
    private static final int REPEATS = 10;

    private DeviceTimer() {}

    /** Returns the average duration of the work in seconds, over some repeats after a first run. */
    static double seconds(CudaStream stream, Runnable work) {
        work.run();
        try (CudaEvent start = new CudaEvent();
                CudaEvent end = new CudaEvent()) {
            start.record(stream);
            for (int i = 0; i < REPEATS; i++) {
                work.run();
            }
            end.record(stream);
            end.synchronize();
            return end.secondsSince(start) / REPEATS;
        }
    }
}
