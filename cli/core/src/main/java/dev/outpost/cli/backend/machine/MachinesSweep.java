package dev.outpost.cli.backend.machine;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Removes the remains of machines that have ended. */
@Command(name = "sweep", description = "Remove what is left of machines that have ended.")
public final class MachinesSweep implements Runnable {
    @ParentCommand
    private MachinesCommand machines;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PROVIDER",
            defaultValue = MachinesCommand.DEFAULT_PROVIDER,
            description = "Whose machines; ${DEFAULT-VALUE} unless given.")
    private String provider;

    @Override
    public void run() {
        List<String> removed = machines.keeper(provider).sweep().await().indefinitely();
        if (removed.isEmpty()) {
            machines.out().println("nothing was left");
        }
        removed.forEach(line -> machines.out().println("removed " + line));
    }
}
