package dev.outpost.system.examples;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Runs an example on a mock machine. Needs the locks of the standard output and of the system properties. */
public final class ExampleOutput {
    private static final String MACHINE = "outpost.machine";

    private ExampleOutput() {}

    /** The method {@code main} of an example. */
    @FunctionalInterface
    public interface Main {
        void run(String[] arguments) throws Exception;
    }

    /** Returns what the example prints. */
    public static String of(Main main, String... arguments) throws Exception {
        return typing("", main, arguments);
    }

    /** Returns what the example prints if a user types the input. */
    public static String typing(String input, Main main, String... arguments) throws Exception {
        PrintStream out = System.out;
        InputStream in = System.in;
        String machine = System.getProperty(MACHINE);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setIn(new ByteArrayInputStream(input.getBytes(Charset.defaultCharset())));
        System.setProperty(MACHINE, "mock");
        try {
            main.run(arguments);
        } finally {
            System.setOut(out);
            System.setIn(in);
            if (machine == null) {
                System.clearProperty(MACHINE);
            } else {
                System.setProperty(MACHINE, machine);
            }
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
