package dev.outpost.cli.backend;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes all rows of a backend to a file, which {@code ./outpost backend --restore} reads. */
@Command(name = "backup", description = "Write all rows of a backend to a file; backend --restore reads it.")
public final class BackupCommand extends PrintingCommand {
    @Parameters(paramLabel = "FILE", description = "Where to; there must be no such file yet.")
    private Path file;

    @Override
    public void run() {
        if (Files.exists(file)) {
            throw new IllegalArgumentException("backup: " + file + " is there already; name another file");
        }
        AtomicLong received = new AtomicLong();
        try (CommandProgress.Task task = CommandProgress.ofProcess().bytes("downloading " + file, -1, received::get)) {
            BackendClient.configured().backup(file, received::set);
            println(Files.size(file) + " bytes are in " + file);
        } catch (IOException failure) {
            throw new IllegalStateException(
                    "backup: " + file + " could not be written: " + failure.getMessage(), failure);
        }
    }
}
