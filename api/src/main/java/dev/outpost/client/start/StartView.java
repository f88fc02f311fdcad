package dev.outpost.client.start;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.ProvisioningStep;

/** Shows the progress of a machine's start. Called by one thread at a time; must not block. */
public interface StartView {
    /** Shows a step. After a successful start the last phase is {@code READY}: the machine has answered. */
    void step(ProvisioningStep step);

    /** Returns a view that also prints each step if {@link DebugLog#MACHINE} is on. */
    static StartView debugged(String machine, StartView view) {
        if (!DebugLog.MACHINE.isOn()) {
            return view;
        }
        return new StartView() {
            @Override
            public void step(ProvisioningStep step) {
                DebugLog.MACHINE.print(
                        "%s is %s after %d ms: %s",
                        machine, step.phase(), step.elapsed().toMillis(), step.text());
                view.step(step);
            }

            @Override
            public void end() {
                view.end();
            }
        };
    }

    /** Called once when the start is over, with or without a machine. */
    default void end() {}
}
