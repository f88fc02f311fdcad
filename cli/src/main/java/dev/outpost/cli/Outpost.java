package dev.outpost.cli;

import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "outpost",
        description = "Tensors computed on a GPU that is somewhere else.",
        versionProvider = BuildVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it worked", "1:it failed", "2:the command line is wrong"},
        subcommands = {
            DemoCommand.class,
            GpusCommand.class,
            DoctorCommand.class,
            GpuCheckCommand.class,
            MachinesCommand.class,
            ParityCommand.class,
            RuntimeCommand.class,
            TopCommand.class
        })
public final class Outpost implements Runnable {
    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "Print where in the code an error arose.")
    private boolean trace;

    @Spec
    private CommandSpec spec;

    /** Kept, since the logging system would forget a level that nobody holds. */
    private static final Logger QUIET = Logger.getLogger("io.grpc");

    public static void main(String[] arguments) {
        QUIET.setLevel(Level.WARNING);
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        Outpost outpost = new Outpost();
        CommandLine commandLine = new CommandLine(outpost);
        ErrorPrinter errors = new ErrorPrinter(() -> outpost.trace);
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** Without a command there is only help to give. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
