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

/** Prints an error as one line. The stack trace is only for debugging. */
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

    /** Returns the message of a failure, or the class name of an exception without a message. */
    private static String sentence(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
