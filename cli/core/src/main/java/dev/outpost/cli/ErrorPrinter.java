package dev.outpost.cli;

import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints an error as one line: a person needs the sentence, only who debugs needs the stack. */
public final class ErrorPrinter implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final BooleanSupplier traces;

    public ErrorPrinter(BooleanSupplier traces) {
        this.traces = traces;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult arguments) {
        PrintWriter err = command.getErr();
        err.println("outpost: " + sentence(failure));
        if (traces.getAsBoolean()) {
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitCode.SOFTWARE;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("outpost: " + oneLine(failure.getMessage()));
        if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
            err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        }
        err.flush();
        return ExitCode.USAGE;
    }

    /** An exception of Java's own may have no message, and then its name must do. */
    private static String sentence(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
