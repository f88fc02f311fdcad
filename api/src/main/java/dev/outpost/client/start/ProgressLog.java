package dev.outpost.client.start;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.Durations;
import java.util.function.Consumer;

/** Logs a line for each phase of a start: {@code k8s-A100: pulling the image (1.2 GB), after 20.1 s}. */
public final class ProgressLog implements StartView {
    private final String machine;
    private final Consumer<String> log;
    private MachinePhase last;

    public ProgressLog(String machine, Consumer<String> log) {
        this.machine = machine;
        this.log = log;
    }

    @Override
    public void step(ProvisioningStep step) {
        if (step.phase() != last) {
            last = step.phase();
            log.accept(machine + ": " + step.text() + ", after " + Durations.text(step.elapsed()));
        }
    }
}
