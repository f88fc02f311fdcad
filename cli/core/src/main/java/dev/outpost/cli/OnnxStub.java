package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * An entry in the list of commands. When the command is called, the launcher adds the module with the real command.
 */
@Command(name = "onnx", description = "Run models in ONNX's format, cut over workers.")
final class OnnxStub implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException("onnx: ./outpost starts it with what it needs; this is only the command line");
    }
}
