package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * An entry in the list of commands. When the command is called, the launcher adds the module with the real command.
 */
@Command(name = "generate", description = "Generate text with a language model.")
final class GenerateStub implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "generate: ./outpost starts it with what models need; this is only the command line");
    }
}
