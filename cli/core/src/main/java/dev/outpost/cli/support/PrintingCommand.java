package dev.outpost.cli.support;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints to the output of its command line. */
public abstract class PrintingCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final void println(String line) {
        out().println(line);
    }

    protected final void print(TextTable table) {
        table.lines().forEach(out()::println);
    }
}
