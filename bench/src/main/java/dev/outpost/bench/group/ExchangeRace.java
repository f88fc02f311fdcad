package dev.outpost.bench.group;

import dev.outpost.runtime.peer.network.LocalWay;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two processes on different processors that sum between them, and send the same bytes over a plain connection. */
final class ExchangeRace {
    /**
     * Medians of the rounds, in seconds.
     *
     * @param sum the time of the large sum
     * @param plain the time of sending as many bytes in both directions over a plain connection
     * @param latency the time of a sum of one element
     */
    record Result(double sum, double plain, double latency) {
        /** Returns the fraction of the plain connection's bandwidth that the sum reaches. */
        double share() {
            return plain / sum;
        }
    }

    private ExchangeRace() {}

    static Result run(Path keys, int bytes, int rounds, LocalWay local) throws IOException, InterruptedException {
        List<Process> members = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                members.add(start(rank, keys, bytes, rounds, local));
            }
            List<BufferedReader> said = members.stream()
                    .map(member ->
                            new BufferedReader(new InputStreamReader(member.getInputStream(), StandardCharsets.UTF_8)))
                    .toList();
            List<String> addresses = List.of(said.get(0).readLine(), said.get(1).readLine());
            for (int rank = 0; rank < 2; rank++) {
                new PrintWriter(members.get(rank).outputWriter(StandardCharsets.UTF_8), true)
                        .println(addresses.get(1 - rank));
            }
            return medians(said.getFirst()
                    .lines()
                    .filter(line -> line.startsWith("round "))
                    .toList());
        } finally {
            members.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(int rank, Path keys, int bytes, int rounds, LocalWay local) throws IOException {
        List<String> command = new ArrayList<>(Pinning.command(rank));
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--add-modules",
                "jdk.incubator.vector",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                ExchangeMember.class.getName(),
                String.valueOf(rank),
                keys.toString(),
                String.valueOf(bytes),
                String.valueOf(rounds),
                local.name()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Result medians(List<String> lines) throws IOException {
        if (lines.isEmpty()) {
            throw new IOException("the members measured nothing; what they said is above");
        }
        return new Result(median(lines, 1), median(lines, 2), median(lines, 3));
    }

    private static double median(List<String> lines, int column) {
        return lines.stream()
                .map(line -> Double.parseDouble(line.split(" ")[column]))
                .sorted()
                .toList()
                .get(lines.size() / 2);
    }
}
