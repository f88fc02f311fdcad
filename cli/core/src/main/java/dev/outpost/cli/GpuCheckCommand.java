package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands in the list of commands for one of a module that only a source tree and a pack have. */
@Command(
        name = "gpu-check",
        description = "Compute on this machine's GPU, or pack what another machine needs to do so.")
final class GpuCheckCommand implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "gpu-check: only a source tree has it, by ./outpost gpu-check, and the pack that"
                        + " ./outpost gpu-check --pack writes there");
    }
}
