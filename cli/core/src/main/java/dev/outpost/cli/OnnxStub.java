package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands. The launcher adds the module of the real command when it is called. */
@Command(name = "onnx", description = "Run models in ONNX's format, cut over workers.")
final class OnnxStub implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException("onnx: ./outpost starts it with what it needs; this is only the command line");
    }
}
