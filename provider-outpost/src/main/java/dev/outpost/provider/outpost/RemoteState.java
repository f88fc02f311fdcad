package dev.outpost.provider.outpost;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSummary;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.MachineView;
import dev.outpost.rest.machine.Phase;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The backend's view of a machine, translated into the terms of the provider interface. */
record RemoteState(MachineView view) {
    private static final int SHOWN = 300;

    long version() {
        return view.version();
    }

    boolean isReady() {
        return view.state() == Phase.State.READY;
    }

    boolean isOver() {
        return view.state() == Phase.State.ENDED || view.state() == Phase.State.ENDING;
    }

    /** Returns the sentence about the machine's state. */
    String sentence() {
        String text = Objects.requireNonNullElse(view.text(), "").replaceAll("\\p{Cntrl}", " ");
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }

    MachinePhase phase() {
        return view.phase() == null ? MachinePhase.QUEUED : view.phase().machinePhase();
    }

    /** Returns the reason of the machine's end, for a client that did not end it. */
    MachineLoss loss() {
        boolean agreed = view.endReason() == EndReason.IDLE;
        return new MachineLoss(
                agreed ? MachineLoss.Cause.IDLE : MachineLoss.Cause.FAILED,
                "machine " + view.id() + " has ended: " + sentence());
    }

    MachineSummary summary() {
        return new MachineSummary(
                view.id().toString(),
                view.gpu(),
                isReady() ? "running" : String.valueOf(view.state()).toLowerCase(Locale.ROOT) + ": " + sentence(),
                view.owner(),
                view.created(),
                // An ended machine does not end again at the end of its life.
                isOver() ? Optional.empty() : Optional.ofNullable(view.endsAt()),
                !isOver());
    }
}
