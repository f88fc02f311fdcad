package dev.outpost.client.failures;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.RemoteException;
import java.util.List;

/** Builds the texts of faults for users. */
public final class FaultText {
    private static final String SCOPES = "close tensors, or use scopes, to need less at once";

    private FaultText() {}

    /**
     * Returns the exception for a fault. Its message has the op and the problem, then the line of the program, the machine, the lost
     * values, and the remedy.
     */
    public static RemoteException exception(Fault fault, String machine, List<String> lost) {
        StringBuilder text = new StringBuilder(fault.getMessage());
        if (!fault.getSource().isEmpty()) {
            text.append(", recorded at ").append(fault.getSource());
        }
        text.append(", on ").append(machine);
        if (!lost.isEmpty()) {
            text.append("; lost with it: ").append(String.join(", ", lost));
        }
        switch (FaultMessages.kind(fault)) {
            case RESOURCES -> text.append("; ").append(SCOPES);
            case INTERNAL -> text.append("; this is a defect of Outpost, please report it");
            case USER, EXTERNAL -> {
                // The message is already complete.
            }
        }
        return new RemoteException(fault, text.toString());
    }

    /** Like {@link #exception}, but for an update that was skipped because of the fault. */
    public static RemoteException ofUpdate(Fault fault, String machine, int failures) {
        String text = exception(fault, machine, List.of()).getMessage()
                + "; the optimizer's step was left out: parameters, moments and step count are as before it";
        String others = failures == 1 ? "" : "; so were steps for " + (failures - 1) + " other failures";
        return new RemoteException(fault, text + others);
    }
}
