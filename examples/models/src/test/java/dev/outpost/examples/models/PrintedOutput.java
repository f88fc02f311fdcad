package dev.outpost.examples.models;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs an example on a machine in this JVM. Needs the lock of the standard output. */
final class PrintedOutput {
    private PrintedOutput() {}

    /** The method {@code main} of an example. */
    @FunctionalInterface
    interface Main {
        void run(String[] arguments) throws Exception;
    }

    static String of(Main main, String... arguments) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setProperty("outpost.machine", "mock");
        try {
            main.run(arguments);
        } finally {
            System.setOut(before);
            System.clearProperty("outpost.machine");
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
