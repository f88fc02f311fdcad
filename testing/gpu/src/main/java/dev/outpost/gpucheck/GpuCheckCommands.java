package dev.outpost.gpucheck;

import dev.outpost.cli.CommandProvider;
import java.util.List;

/** Provides the command of this module. */
public final class GpuCheckCommands implements CommandProvider {
    @Override
    public List<Object> commands() {
        return List.of(new GpuCheckCommand());
    }
}
