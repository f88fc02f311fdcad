package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Sends the files in a run's folder of artefacts, except links. A file that cannot be sent does not stop the others. */
final class ArtefactSender {
    private static final int PART = 128 * 1024;

    /** The number of failed files after which the remaining files are skipped. */
    private static final int MAX_FAILURES = 20;

    private final RunnerClient client;
    private final List<String> left = new ArrayList<>();

    ArtefactSender(RunnerClient client) {
        this.client = client;
    }

    /** Sends all files. Returns those that could not be sent, each with its reason. */
    List<String> send(Path folder) {
        for (Path file : files(folder)) {
            if (left.size() >= MAX_FAILURES) {
                left.add("the files from " + folder.relativize(file) + " on");
                return left;
            }
            String path = folder.relativize(file).toString();
            try {
                send(file, path);
            } catch (RunnerClient.RefusedException refused) {
                left.add(path + ": " + refused.getMessage());
            } catch (IOException failure) {
                left.add(path + " cannot be read: " + OutageLog.text(failure));
            }
        }
        return left;
    }

    private Iterable<Path> files(Path folder) {
        TreeSet<Path> files = new TreeSet<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
                    fail(folder, file, unreadable);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException unreadable) {
                    if (unreadable != null) {
                        fail(folder, directory, unreadable);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            fail(folder, folder, failure);
        }
        return files;
    }

    private void fail(Path folder, Path path, IOException unreadable) {
        left.add(folder.relativize(path) + " cannot be read: " + OutageLog.text(unreadable));
    }

    private void send(Path file, String path) throws IOException {
        long next = 0;
        try (InputStream read = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] part = read.readNBytes(PART);
            do {
                long from = next;
                byte[] bytes = part;
                next = client.call(calls -> calls.appendArtefact(path, from, bytes))
                        .next();
                part = read.readNBytes(PART);
            } while (part.length > 0);
        }
    }
}
