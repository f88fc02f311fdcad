package dev.outpost.torch.command;

import dev.outpost.cli.CommandProvider;
import java.util.List;

/** Provides the command of this module. */
public final class TorchCommands implements CommandProvider {
    @Override
    public List<Object> commands() {
        return List.of(new ParityCommand());
    }
}
