package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * An entry in the list of commands. When the command is called, the launcher adds the module with the real command.
 */
@Command(name = "train", description = "Fine-tune a language model as a file says.")
final class TrainStub implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "train: ./outpost starts it with what models need; this is only the command line");
    }
}
