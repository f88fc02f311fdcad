package dev.outpost.cli.lan;

import dev.outpost.cli.CommandProvider;
import java.util.List;

/** Provides the commands of this module. */
public final class LanCommands implements CommandProvider {
    @Override
    public List<Object> commands() {
        return List.of(new WorkersCommand(), new OnnxCommand());
    }
}
