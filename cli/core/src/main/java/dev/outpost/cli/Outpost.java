package dev.outpost.cli;

import dev.outpost.cli.backend.AuditCommand;
import dev.outpost.cli.backend.BackendCommand;
import dev.outpost.cli.backend.BackupCommand;
import dev.outpost.cli.backend.DeployCommand;
import dev.outpost.cli.backend.FailuresCommand;
import dev.outpost.cli.backend.LoginCommand;
import dev.outpost.cli.backend.PlanCommand;
import dev.outpost.cli.backend.SimulateCommand;
import dev.outpost.cli.backend.UsageCommand;
import dev.outpost.cli.backend.job.SubmitCommand;
import dev.outpost.cli.backend.machine.MachinesCommand;
import dev.outpost.cli.backend.resource.ApplyCommand;
import dev.outpost.cli.backend.resource.ResourceKinds;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.DurationConverter;
import dev.outpost.cli.top.TopCommand;
import dev.outpost.client.start.ProgressMode;
import java.time.Duration;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
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
            ApplyCommand.class,
            AuditCommand.class,
            BackendCommand.class,
            BackupCommand.class,
            DemoCommand.class,
            DeployCommand.class,
            GpusCommand.class,
            DoctorCommand.class,
            FailuresCommand.class,
            LoginCommand.class,
            MachinesCommand.class,
            PlanCommand.class,
            RelayCommand.class,
            RuntimeCommand.class,
            SimulateCommand.class,
            SubmitCommand.class,
            TopCommand.class,
            UsageCommand.class,
            WorkerCommand.class
        })
public final class Outpost implements Runnable {
    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "Print where in the code an error arose.")
    private boolean trace;

    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        LibraryLogs.silence();
        showProgress();
        CommandLine commandLine = commandLine();
        CommandProgress.ofProcess().attachTo(commandLine);
        System.exit(commandLine.execute(arguments));
    }

    /** Prints progress to standard error, because the command line has no log. */
    private static void showProgress() {
        if (System.getenv(ProgressMode.VARIABLE) == null && System.getProperty(ProgressMode.PROPERTY) == null) {
            System.setProperty(ProgressMode.PROPERTY, "console");
        }
    }

    /**
     * Returns the command line with all commands, including the commands of other modules on the class path. The launcher of a
     * source tree sets {@code outpost.tree} to true.
     */
    public static CommandLine commandLine() {
        return commandLine(Boolean.getBoolean("outpost.tree"));
    }

    /** Returns the command line, with {@code tree} also the commands that only the launcher of a source tree knows. */
    public static CommandLine commandLine(boolean tree) {
        Outpost outpost = new Outpost();
        CommandLine commandLine = new CommandLine(outpost);
        LauncherCommand.of(tree).forEach(command -> commandLine.addSubcommand(command.name(), command.toSpec()));
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroup::render);
        ResourceKinds.addTo(commandLine);
        ServiceLoader.load(CommandProvider.class)
                .forEach(provider -> provider.commands().forEach(command -> add(command, commandLine)));
        ErrorPrinter errors = new ErrorPrinter(() -> outpost.trace);
        return commandLine
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** Adds a command. It replaces the entry of the launcher with the same name. */
    private static void add(Object command, CommandLine commandLine) {
        String name = command.getClass().getAnnotation(Command.class).name();
        commandLine.getCommandSpec().removeSubcommand(name);
        commandLine.addSubcommand(name, command);
    }

    /** Prints the help, if no subcommand is given. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
