package dev.outpost.cli.backend.job;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.JobsApi;
import dev.outpost.rest.job.ArtefactView;
import dev.outpost.rest.job.JobView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for the log, the files and the end of a job. */
public final class JobsCommand {
    private JobsCommand() {}

    private static JobsApi calls() {
        return new JobsApi(BackendClient.configured());
    }

    /** Prints the log of a job. */
    @Command(name = "log", description = "Show what one has printed.")
    public static final class Log extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Option(names = "--follow", description = "And what it prints until it has ended.")
        private boolean follow;

        @Override
        public void run() {
            if (follow) {
                JobLog.follow(calls(), JobLog.checked(id), out());
            } else {
                JobLog.print(calls(), JobLog.checked(id), out());
            }
        }
    }

    /** Lists or downloads the files of a job. */
    @Command(name = "artefacts", description = "List the files that one left, or fetch them.")
    public static final class Artefacts extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Option(names = "--to", paramLabel = "FOLDER", description = "Where they are put.")
        private Path to;

        @Override
        public void run() {
            JobsApi jobs = calls();
            String job = JobLog.checked(id);
            for (ArtefactView file : jobs.artefacts(job)) {
                if (to != null) {
                    fetch(jobs, job, file);
                }
                println(file.size() + "  " + file.path());
            }
        }

        /**
         * Returns the path of a file in the target folder. The folder is made absolute first, since a relative one such as {@code ..}
         * cannot be compared.
         */
        static Path target(Path to, String path) {
            Path folder = to.toAbsolutePath().normalize();
            Path target = folder.resolve(path).normalize();
            if (target.equals(folder) || !target.startsWith(folder)) {
                throw new IllegalStateException(
                        "jobs: " + path + " would lie outside of " + to + "; it is not fetched");
            }
            return target;
        }

        private void fetch(JobsApi jobs, String job, ArtefactView file) {
            Path target = target(to, file.path());
            try {
                Files.createDirectories(target.getParent());
                AtomicLong at = new AtomicLong();
                try (CommandProgress.Task task =
                                CommandProgress.ofProcess().bytes("downloading " + file.path(), file.size(), at::get);
                        OutputStream write = Files.newOutputStream(target)) {
                    while (at.get() < file.size()) {
                        BackendClient.Slice slice = jobs.artefact(job, file.path(), at.get());
                        write.write(slice.bytes());
                        at.set(slice.next());
                    }
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Ends a job. */
    @Command(name = "cancel", description = "End one.")
    public static final class Cancel extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Override
        public void run() {
            JobView job = calls().cancel(JobLog.checked(id));
            println(job.phase() + ": " + job.text());
        }
    }
}
