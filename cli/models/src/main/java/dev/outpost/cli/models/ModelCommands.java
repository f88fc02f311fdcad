package dev.outpost.cli.models;

import dev.outpost.cli.CommandProvider;
import java.util.List;

/** Provides the commands of this module. */
public final class ModelCommands implements CommandProvider {
    @Override
    public List<Object> commands() {
        return List.of(new GenerateCommand(), new ModelsCommand(), new PlotCommand(), new TrainCommand());
    }
}
