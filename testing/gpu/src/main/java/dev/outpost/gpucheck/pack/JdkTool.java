package dev.outpost.gpucheck.pack;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.spi.ToolProvider;

/** A tool of the JDK, run inside this process. */
final class JdkTool {
    private JdkTool() {}

    /**
     * Runs a tool to its end.
     *
     * @throws IOException if the tool is missing or fails; the message has its output
     */
    static void run(String name, String... arguments) throws IOException {
        ToolProvider tool = ToolProvider.findFirst(name)
                .orElseThrow(() -> new IOException(name + ": not in this JDK: use a full one"));
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output);
        if (tool.run(printer, printer, arguments) != 0) {
            throw new IOException(name + ": failed: " + output.toString().strip());
        }
    }
}
