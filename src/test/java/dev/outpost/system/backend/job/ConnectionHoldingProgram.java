package dev.outpost.system.backend.job;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A program that holds a connection to its test while it runs, and reports its run. It has no dependencies. */
public final class ConnectionHoldingProgram {
    private ConnectionHoldingProgram() {}

    public static void main(String[] arguments) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(arguments[0]))) {
            socket.getOutputStream()
                    .write((System.getenv("OUTPOST_JOB_RUN") + "\n").getBytes(StandardCharsets.US_ASCII));
            // Ends when the test answers.
            socket.getInputStream().read();
        }
    }
}
