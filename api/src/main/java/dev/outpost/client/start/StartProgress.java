package dev.outpost.client.start;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.stats.Provisioning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Follows the start of a machine, from the request to its first answer. Measures the time of each phase and shows the
 * progress. A provider's phase {@code READY} means that it has handed out the machine; here the phase of connecting
 * begins then.
 */
public final class StartProgress implements Consumer<ProvisioningStep> {
    private record Entered(MachinePhase phase, long nanos) {}

    private final StartView view;
    private final LongSupplier clock;
    private final long start;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entered> entered = new ArrayList<>();
    private Provisioning.State state = Provisioning.State.GOING_ON;
    private String text = "";
    private String readyText = "";
    private long over;

    /** @param clock a monotonic clock in nanoseconds; the time runs from here */
    public StartProgress(StartView view, LongSupplier clock) {
        this.view = view;
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    /** Records a step that the provider reports. */
    @Override
    public void accept(ProvisioningStep step) {
        if (step.phase() == MachinePhase.READY) {
            readyText = step.text();
            enter(MachinePhase.CONNECTING, "connecting");
        } else {
            enter(step.phase(), step.text());
        }
    }

    /** Called when the machine has answered; again on each later connection. */
    public void ready() {
        finish(Provisioning.State.READY);
    }

    /** Called when there will be no machine, or it is no longer needed. */
    public void failed() {
        finish(Provisioning.State.FAILED);
    }

    public Provisioning provisioning() {
        lock.lock();
        try {
            long now = isOver() ? over : clock.getAsLong();
            return new Provisioning(state, phases(now), since(start, now), text);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Enters a phase and shows its text. Phases only advance: the text of an earlier phase is shown in the present
     * phase.
     */
    private void enter(MachinePhase phase, String newText) {
        lock.lock();
        try {
            if (isOver()) {
                return;
            }
            text = newText;
            if (entered.isEmpty() || phase.compareTo(entered.get(entered.size() - 1).phase) > 0) {
                entered.add(new Entered(phase, clock.getAsLong()));
            }
            show(entered.get(entered.size() - 1).phase, clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private void finish(Provisioning.State how) {
        lock.lock();
        try {
            if (isOver()) {
                return;
            }
            over = clock.getAsLong();
            state = how;
            if (how == Provisioning.State.READY) {
                text = readyText;
                show(MachinePhase.READY, over);
            }
            view.end();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        return state != Provisioning.State.GOING_ON;
    }

    private void show(MachinePhase phase, long now) {
        view.step(new ProvisioningStep(phase, text, since(start, now)));
    }

    private List<Provisioning.PhaseTime> phases(long now) {
        List<Provisioning.PhaseTime> times = new ArrayList<>();
        for (int index = 0; index < entered.size(); index++) {
            Entered phase = entered.get(index);
            long end = index + 1 < entered.size() ? entered.get(index + 1).nanos : now;
            times.add(new Provisioning.PhaseTime(phase.phase, since(start, phase.nanos), since(phase.nanos, end)));
        }
        return times;
    }

    private static Duration since(long from, long to) {
        return Duration.ofNanos(to - from);
    }
}
