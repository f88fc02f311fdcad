package dev.outpost.system.backend.job;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** A program of a tenant that tries to become the operator. It prints its successes. It depends only on the JDK. */
public final class HostileProgram {
    static final String SECRET = "OUTPOST_TEST_SECRET";
    private static final int POSTGRES_3 = 196_608;
    private static final int AUTHENTICATED = 0;

    private HostileProgram() {}

    /** @param arguments the backend's data folder, its process, its API, the port of its PostgreSQL, another tenant's machine */
    public static void main(String[] arguments) throws IOException {
        Path data = Path.of(arguments[0]);
        String backend = arguments[1];
        for (String file : List.of(
                "admin-key",
                "seal-key",
                "management-key",
                "postgres/database-password",
                arguments[4] + "/log",
                arguments[4] + "/grants")) {
            attempt("read " + file, () -> Files.readString(data.resolve(file)));
        }
        attempt("list machines", () -> {
            try (Stream<Path> machines = Files.list(data.resolve("machines"))) {
                return machines.filter(machine ->
                                machine.endsWith(Path.of(arguments[4]).getFileName()))
                        .findAny()
                        .orElseThrow();
            }
        });
        attempt("inherited a secret", () -> required(System.getenv(SECRET)));
        attempt("inherited a key of a cloud", () -> required(System.getenv("AWS_SECRET_ACCESS_KEY")));
        attempt("read the environment of a process", HostileProgram::readEnvironments);
        attempt(
                "traced the backend",
                () -> Files.newInputStream(Path.of("/proc", backend, "mem")).read());
        attempt("ended the backend", () -> {
            ProcessHandle process = ProcessHandle.of(Long.parseLong(backend)).orElseThrow();
            return required(process.destroyForcibly() ? "it" : null);
        });
        attempt("used the API without a key", () -> {
            HttpURLConnection asked = (HttpURLConnection)
                    URI.create(arguments[2] + "/v1/machines").toURL().openConnection();
            return required(asked.getResponseCode() == 200 ? "it" : null);
        });
        attempt("used PostgreSQL without a password", () -> required(login(Integer.parseInt(arguments[3]))));
        attempt("reached the metadata service", () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("169.254.169.254", 80), 2_000);
                return "it";
            }
        });
        System.out.println("all was tried");
    }

    private static void attempt(String what, Callable<?> attempt) {
        try {
            attempt.call();
            System.out.println("SUCCEEDED: " + what);
        } catch (Exception failure) {
            System.out.println("refused: " + what + ": " + failure);
        }
    }

    private static String required(String value) throws IOException {
        if (value == null) {
            throw new IOException("nothing");
        }
        return value;
    }

    private static String readEnvironments() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                Path environment = process.resolve("environ");
                if (Files.isReadable(environment)
                        && Files.readString(environment, StandardCharsets.ISO_8859_1)
                                .contains(SECRET + "=")) {
                    return environment.toString();
                }
            }
        }
        throw new IOException("none has the secret");
    }

    /** Empty if the server requires more than the name of its user. */
    private static String login(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            byte[] names = "user\0outpost\0database\0outpost\0\0".getBytes(StandardCharsets.US_ASCII);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(8 + names.length);
            out.writeInt(POSTGRES_3);
            out.write(names);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            char type = (char) in.readByte();
            in.readInt();
            return type == 'R' && in.readInt() == AUTHENTICATED ? "it" : null;
        }
    }
}
