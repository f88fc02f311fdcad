package dev.outpost.system.k8s.faults;

import static dev.outpost.system.k8s.faults.Disturbance.CLIENT_KILLED;
import static dev.outpost.system.k8s.faults.Disturbance.CLOCK_AHEAD;
import static dev.outpost.system.k8s.faults.Disturbance.CLOCK_BEHIND;
import static dev.outpost.system.k8s.faults.Disturbance.CONFLICT;
import static dev.outpost.system.k8s.faults.Disturbance.HISTORY_EXPIRED;
import static dev.outpost.system.k8s.faults.Disturbance.POD_DELETED;
import static dev.outpost.system.k8s.faults.Disturbance.POD_KILLED;
import static dev.outpost.system.k8s.faults.Disturbance.SERVER_AWAY;
import static dev.outpost.system.k8s.faults.Disturbance.SERVER_ERROR;
import static dev.outpost.system.k8s.faults.Disturbance.THROTTLED;
import static dev.outpost.system.k8s.faults.Disturbance.WATCHES_CLOSED;

import dev.outpost.MachineLossPolicy;
import java.util.ArrayList;
import java.util.List;

/** The expected outcome of each disturbance of a machine at each step. */
final class FaultMatrix {
    private static final Expected USABLE = new Expected(Outcome.USABLE, "");
    private static final Expected CLOSED = new Expected(Outcome.CLOSED, "");
    private static final Expected NOTHING = new Expected(Outcome.NOTHING_LEFT, "");
    private static final Expected SWEPT = new Expected(Outcome.SWEPT, "");
    private static final Expected NO_POD = new Expected(Outcome.NOT_APPLICABLE, "there is no pod yet");
    private static final Expected NO_WRITE =
            new Expected(Outcome.NOT_APPLICABLE, "only writes can conflict, and the client writes nothing then");
    private static final String DELETED = "the pod was deleted";
    private static final String KILLED = "137";

    private final List<FaultCase> faultCases = new ArrayList<>();

    /** An outcome and a note; a lost machine is replaced if the policy requires it. */
    private record Expected(Outcome outcome, String note) {}

    private FaultMatrix() {
        // Columns: before create, after create, before ready, first session, mid-segment, during delete.
        row(SERVER_AWAY, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(WATCHES_CLOSED, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(HISTORY_EXPIRED, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(CONFLICT, USABLE, USABLE, NO_WRITE, NO_WRITE, NO_WRITE, CLOSED);
        row(THROTTLED, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(SERVER_ERROR, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(POD_DELETED, NO_POD, NO_POD, failed(DELETED), lost(DELETED), lost(DELETED), CLOSED);
        row(POD_KILLED, NO_POD, NO_POD, failed(KILLED), lost(KILLED), lost(KILLED), CLOSED);
        row(CLIENT_KILLED, SWEPT, SWEPT, NOTHING, NOTHING, NOTHING, NOTHING);
        row(CLOCK_AHEAD, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
        row(CLOCK_BEHIND, USABLE, USABLE, USABLE, USABLE, USABLE, CLOSED);
    }

    /** All cases, row by row; each case of a lost machine is followed by the same case with the other policy. */
    static List<FaultCase> cells() {
        return List.copyOf(new FaultMatrix().faultCases);
    }

    private static Expected failed(String sentence) {
        return new Expected(Outcome.FAILED_START, sentence);
    }

    private static Expected lost(String sentence) {
        return new Expected(Outcome.LOST, sentence);
    }

    private void row(Disturbance disturbance, Expected... expected) {
        for (MachineStep step : MachineStep.values()) {
            add(step, disturbance, expected[step.ordinal()]);
        }
    }

    private void add(MachineStep step, Disturbance disturbance, Expected expected) {
        faultCases.add(new FaultCase(step, disturbance, MachineLossPolicy.FAIL, expected.outcome, expected.note));
        if (expected.outcome == Outcome.LOST) {
            faultCases.add(
                    new FaultCase(step, disturbance, MachineLossPolicy.RESTART, Outcome.SUCCESSOR, expected.note));
        }
    }
}
