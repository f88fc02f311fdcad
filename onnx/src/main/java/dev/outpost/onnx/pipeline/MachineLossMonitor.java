package dev.outpost.onnx.pipeline;

import java.time.Duration;

/** Checks the machines of a pipeline periodically until it is closed. */
final class MachineLossMonitor implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(250);

    private static final int LOOKS_FOR_LOST = 8;

    private final Runnable look;
    private final Runnable lookForLost;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("outpost-onnx-watch").unstarted(this::watch);

    /**
     * @param look looks for silent machines, because a disconnected machine does not report its loss
     * @param lookForLost checks, less often, if lost machines are reachable again
     */
    MachineLossMonitor(Runnable look, Runnable lookForLost) {
        this.look = look;
        this.lookForLost = lookForLost;
    }

    void start() {
        thread.start();
    }

    private void watch() {
        try {
            for (int count = 1; true; count++) {
                Thread.sleep(LOOK);
                look.run();
                if (count % LOOKS_FOR_LOST == 0) {
                    lookForLost.run();
                }
            }
        } catch (InterruptedException interrupted) {
            // The pipeline is closed.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
