package dev.outpost.system.backend.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A program that holds a connection to its test while it runs, reports its job, and ends after some seconds with a code that it reports
 * before. It has no dependencies.
 */
public final class TimedProgram {
    private TimedProgram() {}

    /** @param arguments the port, the seconds and the code */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(arguments[0]))) {
            say(socket.getOutputStream(), System.getenv("OUTPOST_JOB_ID"));
            Thread.sleep(Long.parseLong(arguments[1]) * 1_000);
            say(socket.getOutputStream(), arguments[2]);
        }
        System.exit(Integer.parseInt(arguments[2]));
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
