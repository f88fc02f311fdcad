package dev.outpost.client.start;

import dev.outpost.provider.ProvisioningStep;
import java.time.Duration;

/** A progress line whose time a thread updates. The thread ends with the start. */
public final class TickingLine implements StartView {
    private final ProgressLine line;
    private final Duration period;
    private final Thread ticker = Thread.ofVirtual().name("outpost-progress").unstarted(this::run);

    public TickingLine(ProgressLine line, Duration period) {
        this.line = line;
        this.period = period;
    }

    /** Starts the thread, after the machine was requested. */
    public TickingLine start() {
        ticker.start();
        return this;
    }

    @Override
    public void step(ProvisioningStep step) {
        line.step(step);
    }

    @Override
    public void end() {
        ticker.interrupt();
        line.end();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(period);
                line.tick();
            }
        } catch (InterruptedException interrupted) {
            // The start is over.
        }
    }
}
