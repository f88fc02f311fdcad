package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Sends the files that a run left in its folder of artefacts; links are left out. */
final class ArtefactSender {
    private static final int PART = 128 * 1024;

    private final RunnerClient client;

    ArtefactSender(RunnerClient client) {
        this.client = client;
    }

    /** What could not be sent, each with its reason. */
    List<String> send(Path folder) throws IOException {
        List<String> left = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted()
                    .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                String path = folder.relativize(file).toString();
                try {
                    send(file, path);
                } catch (RunnerClient.RefusedException refused) {
                    left.add(path + ": " + refused.getMessage());
                }
            }
        }
        return left;
    }

    private void send(Path file, String path) throws IOException {
        long next = 0;
        try (InputStream read = Files.newInputStream(file)) {
            byte[] part = read.readNBytes(PART);
            do {
                next = client.append("artefacts", Map.of("path", path), next, part);
                part = read.readNBytes(PART);
            } while (part.length > 0);
        }
    }
}
